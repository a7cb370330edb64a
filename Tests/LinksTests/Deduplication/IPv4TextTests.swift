import Testing

@testable import Links

@Suite("Links / IPv4 address")
struct IPv4TextTests {
    @Test(
        "all notations of an address have one form",
        arguments: ["127.0.0.1", "127.1", "0x7f.1", "017700000001", "2130706433"])
    func valid(text: String) { #expect(IPv4Text.canonical(text) == "127.0.0.1") }

    @Test(
        "other numbers are rejected",
        arguments: ["", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "08.1.1.1", "1..1", "-1"])
    func invalid(text: String) { #expect(IPv4Text.canonical(text) == nil) }
}
