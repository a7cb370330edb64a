import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / allow list")
struct AllowListTests {
    @Test(
        "an entry allows exactly what it names",
        arguments: [
            ("10.0.0.1", "10.0.0.1", 80, "x.test", true), ("10.0.0.1", "10.0.0.2", 80, "x.test", false),
            ("10.0.0.1:8080", "10.0.0.1", 8080, "x.test", true), ("10.0.0.1:8080", "10.0.0.1", 80, "x.test", false),
            ("10.0.0.0/8", "10.255.0.1", 80, "x.test", true), ("10.0.0.0/8:80", "10.1.1.1", 81, "x.test", false),
            ("fd00::1", "fd00::1", 80, "x.test", true), ("[fd00::1]:81", "fd00::1", 81, "x.test", true),
            ("[fd00::1]:81", "fd00::1", 80, "x.test", false), ("fd00::/8", "fd12::9", 80, "x.test", true),
            ("[fd00::/8]:81", "fd12::9", 81, "x.test", true), ("[fd00::]/8:81", "fd12::9", 80, "x.test", false),
            ("wiki.test", "10.0.0.1", 80, "wiki.test", true), ("Wiki.Test", "10.0.0.1", 80, "WIKI.test.", true),
            ("wiki.test", "10.0.0.1", 80, "x.wiki.test", false), ("wiki.test", "10.0.0.1", 80, "10.0.0.1", false),
            ("wiki.test:81", "10.0.0.1", 81, "wiki.test", true), ("wiki.test:81", "10.0.0.1", 80, "wiki.test", false),
            ("127.0.0.1", "::ffff:127.0.0.1", 80, "x.test", false), ("0.0.0.0/0", "10.0.0.1", 80, "x.test", true),
            ("0.0.0.0/0", "::1", 80, "x.test", false), (" a.test , 10.0.0.1 ,", "10.0.0.1", 80, "x.test", true),
            ("", "127.0.0.1", 80, "localhost", false), ("169.254.169.254", "169.254.169.254", 80, "x.test", true),
        ] as [(String, String, Int, String, Bool)])
    func opens(list: String, address: String, port: Int, host: String, isOpen: Bool) throws {
        let rules = AddressRules(allowing: try AllowList(list))
        let target = try #require(NetworkAddress(address))
        let verdict = rules.verdict(on: target, port: UInt16(port), host: host)
        #expect((verdict == .allowed) == isOpen)
    }

    @Test("a port of the deny list is allowed only if an entry names it")
    func deniedPorts() throws {
        let address = try #require(NetworkAddress("10.0.0.1"))
        #expect(
            AddressRules(allowing: try AllowList("10.0.0.1")).verdict(on: address, port: 5432, host: "")
                == .blocked(.port(5432)))
        #expect(
            AddressRules(allowing: try AllowList("10.0.0.1:5432")).verdict(on: address, port: 5432, host: "")
                == .allowed)
        let open = try #require(NetworkAddress("8.8.8.8"))
        #expect(AddressRules().verdict(on: open, port: 22, host: "") == .blocked(.port(22)))
        #expect(AddressRules().verdict(on: open, port: 443, host: "") == .allowed)
    }

    @Test(
        "an invalid entry is an error that names it",
        arguments: [
            "10.0.0.1:x", "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.0/33", "a b", "http://a/", "127.1", "0x7f.0.0.1",
            "10.0.0.256",
            "[::1", "[::1]x", "[a.test]:80", ":80", "fd00::/129", "a.test:+80", "*", "1234",
        ])
    func malformed(entry: String) {
        #expect(throws: AllowList.Malformed(entry: entry)) { try AllowList("ok.test,\(entry)") }
    }
}
