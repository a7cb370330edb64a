import Testing

@testable import Links

@Suite("Links / host name")
struct HostNameTests {
    private func canonical(_ host: String) -> String? {
        HostName.canonical(Array(host.utf8)[...]) { $0.lowercased() }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "all spellings of a host have one form",
        arguments: [
            ("WWW.Example.COM.", "example.com"), ("www.com", "www.com"),
            ("b%C3%BCcher.example", "xn--bcher-kva.example"),
            ("127.1", "127.0.0.1"), ("[::FFFF:1.2.3.4]", "[::ffff:102:304]"),
        ])
    func valid(host: String, expected: String) { #expect(canonical(host) == expected) }

    @Test(
        "text that is not a host is rejected", arguments: ["", ".", "a b", "a%2Fb", "%ff", "[::1", "[]", "1.2.3.256"])
    func invalid(host: String) { #expect(canonical(host) == nil) }
}
