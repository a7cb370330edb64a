import Testing

@testable import Mail

@Suite("Mail / servers")
struct SMTPServerTests {
    @Test(
        "a password goes over TLS or not at all, but for this machine",
        arguments: [
            ("smtp://mail.example.org:25", SMTPServer.Encryption.whereOffered),
            ("smtp://me:secret@mail.example.org:587", .always),
            ("smtps://mail.example.org", .always), ("smtp://me:secret@127.0.0.1:2525", .whereOffered),
            ("smtp://me:secret@localhost", .whereOffered), ("smtp://me:secret@[::1]:25", .whereOffered),
            ("smtp://me:secret@127.evil.example.org:25", .always),
        ])
    func encryption(url: String, encryption: SMTPServer.Encryption) throws {
        #expect(try SMTPServer(url).encryption == encryption)
    }

    @Test(
        "what is no address of a mail server is refused without being told",
        arguments: [
            "mail.example.org", "http://mail.example.org", "smtp://", "smtp://user:secret@", "smtp://a b",
            "smtp://a\r\nb", "file:///etc/passwd",
        ])
    func malformed(url: String) throws {
        let error = #expect(throws: SMTPServer.Malformed.self) { try SMTPServer(url) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test("the text of a reply is stored in one line, also where the reply has several")
    func replies() {
        var replies = SMTPReplies()
        for line in [
            "250-mail.example.org\r\n", "250-SIZE 1000\r\n", "250 SMTPUTF8\r\n", "354 go on\r\n", "550-5.1.1 no\r\n",
            "550 such\u{1B}[2J user\r\n",
        ] {
            replies.read(line)
        }
        #expect(replies.supportsUTF8)
        #expect(replies.last == SMTPReplies.Reply(code: 550, text: "550 5.1.1 no such [2J user"))
        replies.read("451 " + String(repeating: "x", count: 10_000))
        #expect((replies.last?.text.utf8.count ?? 0) < 510)
    }
}
