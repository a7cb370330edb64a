import Testing

@testable import Readability

@Suite("Readability / escaped text")
struct EscapedTextTests {
    @Test(
        "names are decoded first, then numbers, each once",
        arguments: [
            ("&quot;a&#39;", "\"a'"), ("&amp;lt;", "&lt;"), ("&amp;#39;", "'"), ("&#x20AC;", "€"), ("&nbsp;", "&nbsp;"),
            ("a & b", "a & b"),
            ("&#0;", "\u{FFFD}"),
        ])
    func decode(text: String, expected: String) { #expect(EscapedText.decode(text) == expected) }

    @Test("U+0000 becomes U+FFFD")
    func withoutNUL() { #expect(EscapedText.withoutNUL("a\0b") == "a\u{FFFD}b") }
}
