import Testing

@testable import Links

@Suite("Links / Punycode")
struct PunycodeTests {
    @Test(
        "labels beyond ASCII are encoded, and others stay",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("Example..com", "Example..com"), ("", ""),
        ])
    func encoded(host: String, expected: String) { #expect(Punycode.toASCII(host) == expected) }

    @Test("a label over 63 characters is rejected")
    func long() {
        #expect(Punycode.toASCII(String(repeating: "ü", count: 63)) != nil)
        #expect(Punycode.toASCII(String(repeating: "ü", count: 64)) == nil)
    }
}
