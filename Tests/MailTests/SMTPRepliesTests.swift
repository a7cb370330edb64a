import Testing

@testable import Mail

@Suite("Mail / SMTP replies")
struct SMTPRepliesTests {
    private func replies(_ lines: String...) -> SMTPReplies {
        var replies = SMTPReplies()
        for line in lines { replies.read(line) }
        return replies
    }

    @Test("the lines of one reply are joined")
    func joined() {
        #expect(replies("550-No such", "550 user").last == SMTPReplies.Reply(code: 550, text: "550 No such user"))
    }

    @Test("the reply to QUIT and intermediate replies do not count")
    func ignored() {
        #expect(replies("250 OK", "354 go ahead", "221 bye").last?.code == 354)
        #expect(replies("250 OK", "220 x", "221 bye", "junk").last?.code == 220)
    }

    @Test(
        "support for UTF-8 is announced by its keyword alone",
        arguments: [
            ("250-SMTPUTF8", true), ("250 smtputf8", true), ("250-SIZE SMTPUTF8", false), ("550 SMTPUTF8", false),
        ])
    func utf8(line: String, supports: Bool) { #expect(replies(line).supportsUTF8 == supports) }
}
