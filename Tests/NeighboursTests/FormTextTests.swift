import Testing

@testable import Neighbours

@Suite("Neighbours / text of forms")
struct FormTextTests {
    @Test(
        "escapes and plus signs are decoded",
        arguments: [("a+b%20c", "a b c"), ("%E2%82%ac", "€"), ("", ""), ("%25", "%")])
    func decodes(text: String, decoded: String) { #expect(FormText.decoded(text.utf8) == decoded) }

    @Test(
        "broken escapes, other encodings and NUL are refused",
        arguments: ["%", "%4", "%zz", "%+1", "%ff", "a%00", "a\0"])
    func refuses(text: String) { #expect(FormText.decoded(text.utf8) == nil) }
}
