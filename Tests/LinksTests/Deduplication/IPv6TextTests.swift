import Testing

@testable import Links

@Suite("Links / IPv6 address")
struct IPv6TextTests {
    @Test(
        "an address is written as in RFC 5952",
        arguments: [
            ("2001:DB8:0:0:1:0:0:1", "[2001:db8::1:0:0:1]"), ("::FFFF:1.2.3.4", "[::ffff:102:304]"),
            ("0:0:0:0:0:0:0:0", "[::]"),
            ("1:0:2:0:3:0:4:0", "[1:0:2:0:3:0:4:0]"), ("0001::", "[1::]"),
        ])
    func valid(text: String, expected: String) { #expect(IPv6Text.canonical(text) == expected) }

    @Test(
        "other text is rejected",
        arguments: ["", ":", "1:2", "::g", "1::2::3", "12345::", "::1.2.3", "::1.2.3.256", "::01.2.3.4"])
    func invalid(text: String) { #expect(IPv6Text.canonical(text) == nil) }
}
