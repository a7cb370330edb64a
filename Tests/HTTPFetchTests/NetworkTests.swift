import HTTPFetch
import Testing

@Suite("HTTPFetch / network")
struct NetworkTests {
    @Test(
        "a network contains exactly the addresses with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.9.9.9/8", "10.0.0.0", true),
            ("0.0.0.0/0", "255.1.2.3", true), ("1.2.3.4/32", "1.2.3.5", false), ("fd00::/8", "fdff::1", true),
            ("::/0", "1.2.3.4", false), ("2001:db8::/32", "2001:db9::", false),
        ])
    func contains(network: String, address: String, isInside: Bool) throws {
        let network = try #require(Network(network))
        #expect(network.contains(try #require(NetworkAddress(address))) == isInside)
    }

    @Test(
        "a prefix out of range or a missing one is nil",
        arguments: ["10.0.0.0/33", "::/129", "10.0.0.0", "/8", "a/8", "1.2.3.4/-1"])
    func invalid(text: String) { #expect(Network(text) == nil) }
}
