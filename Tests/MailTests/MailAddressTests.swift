import Testing

@testable import Mail

@Suite("Mail / addresses")
struct MailAddressTests {
    @Test(
        "ordinary addresses are accepted",
        arguments: ["ann@example.org", "a.b+c@mail.example.org", "o'neil@example.org", "lectern@[127.0.0.1]"])
    func taken(text: String) throws {
        let address = try MailAddress(text)
        #expect(address.text == text)
        #expect(!address.needsUTF8)
    }

    @Test(
        "what could end a line or an envelope is not",
        arguments: [
            "", "ann", "@example.org", "ann@", "a\r\nRCPT TO:<eve@example.org>@example.org", "a b@example.org",
            "a>b@example.org",
            "<ann@example.org>", "ann@example.org\r\n", "ann@exa mple.org", "ann@example.org>", "a\u{0}b@example.org",
            "a\u{2028}b@example.org", "\u{202E}a@example.org", "\"a b\"@example.org", "ann,eve@example.org",
            "ann@[127.0.0.1\r\n]",
            "ann@-a.org", "ann@.org", String(repeating: "a", count: 65) + "@example.org",
            "a@" + String(repeating: "b.", count: 127) + "org",
        ])
    func refused(text: String) {
        #expect(throws: MailAddress.Malformed.self) { try MailAddress(text) }
    }

    @Test("a host in any script has an ASCII form, a local part has none")
    func international() throws {
        let host = try MailAddress("ann@bücher.example")
        #expect(host.text == "ann@xn--bcher-kva.example")
        #expect(!host.needsUTF8)
        #expect(try MailAddress("åsa@example.org").needsUTF8)
    }

    @Test(
        "the sender follows the public address",
        arguments: [
            ("https://read.example.org/x", "lectern@read.example.org"),
            ("http://127.0.0.1:8080", "lectern@[127.0.0.1]"),
            ("http://[::1]:8080", "lectern@[IPv6:::1]"),
        ])
    func sender(url: String, address: String) throws {
        #expect(try MailAddress(atHostOf: url, local: "lectern").text == address)
    }
}
