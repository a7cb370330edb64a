import Testing

@testable import Links

@Suite("Links / URL host")
struct URLHostTests {
    private func normalized(_ host: String) -> String? {
        URLHost.normalized(Array(host.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "hosts are written as browsers write them",
        arguments: [
            ("EXAMPLE.com", "example.com"), ("ex%41mple.com", "example.com"), ("München.de", "xn--mnchen-3ya.de"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("[2001:DB8::1]", "[2001:db8::1]"), ("a_b.example", "a_b.example"),
        ])
    func valid(host: String, expected: String) { #expect(normalized(host) == expected) }

    @Test("hosts that no URL can have are rejected", arguments: ["a b", "a%2Fb", "a<b", "[x]", "[", "[]", "a%"])
    func invalid(host: String) { #expect(normalized(host) == nil) }

    @Test("an overlong host is rejected")
    func long() { #expect(normalized(String(repeating: "a", count: 2_001)) == nil) }
}
