@testable import Auth
import Testing

@Suite("Auth / texts of mails")
struct MailTextTests {
    @Test(
        "a mail with a link contains the link on its own line, the service and no long line",
        arguments: [
            MailText.Kind.recovery, .invite, .magiclink, .signup, .emailChange,
        ])
    func links(kind: MailText.Kind) {
        let mail = MailText(kind, link: "https://r.test/l", service: "https://r.test")
        let lines = mail.body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains("https://r.test/l") && mail.body.contains("https://r.test"))
        #expect(lines.allSatisfy { $0.count <= 80 } && !mail.subject.isEmpty)
    }

    @Test("an invitation is valid for a week, other links for an hour")
    func lifetimes() {
        #expect(MailText.Kind.invite.lifetime == 604_800)
        #expect(MailText.Kind.recovery.lifetime == 3_600)
    }

    @Test("the notice of a changed address names the service and has no link to an account page")
    func notice() {
        let mail = MailText(newAddressAt: "https://r.test")
        #expect(mail.body.contains("https://r.test") && !mail.body.contains("/account/"))
    }
}
