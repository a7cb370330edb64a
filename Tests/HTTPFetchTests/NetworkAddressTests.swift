import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / network address")
struct NetworkAddressTests {
    @Test(
        "addresses are written in their standard spelling",
        arguments: [
            "10.1.2.3", "fe80::1", "::", "2001:db8::a:0:0:1",
        ])
    func written(text: String) { #expect(NetworkAddress(text)?.description == text) }

    @Test("other spellings are the same address", arguments: [("::FFFF", "::ffff"), ("0:0:0:0:0:0:0:1", "::1")])
    func spelling(text: String, standard: String) { #expect(NetworkAddress(text)?.description == standard) }

    @Test(
        "a text that is not an address in standard spelling is nil",
        arguments: ["127.1", "0x7f.0.0.1", "010.0.0.1.1", "[::1]", "", "::g"])
    func invalid(text: String) { #expect(NetworkAddress(text) == nil) }
}
