import HTTP
import Postgres

/// A new address for an account. Where mail is set up, it takes effect once the user has followed a link that was
/// mailed to it.
extension Accounts {
    /// The address that a user wants instead of the present one; nil if the request names none or the present one.
    func newEmail(_ given: String?, of user: String) throws -> String? {
        guard let given, !given.isEmpty else { return nil }
        let email = try checkedEmail(given)
        let present = try run(["select email from auth.users where id = \(user)::uuid"])[0].text(0, 0)
        return email == present ? nil : email
    }

    /// The statements that change the address, or that ask for its confirmation. These are the same, and so is the
    /// response, when another account has the address. Without mail the database refuses such an address.
    func emailChange(_ email: String, of user: String) throws -> [SQL] {
        // Without these limits a user could have mails sent to anybody, or find out which addresses have accounts.
        try checkAttempt("email \(user)", free: 3, minDelay: "1 minute", maxDelay: "1 hour")
        try checkAttempt("mail \(origin.network)", free: 10, maxDelay: "1 hour")
        let notice = MailText(newAddressAt: rules.publicURL)
        guard rules.sendsMail else {
            return [
                "select auth.change_email(\(user)::uuid, \(email), \(notice.subject), \(notice.body))"
            ]
        }
        let link = OneTimeLink(.emailChange)
        let text = MailText(.emailChange, link: link.url(rules.publicURL), service: rules.publicURL)
        return [
            """
            select auth.ask_to_confirm_email(\(user)::uuid, \(email), \(link.id)::uuid,
                decode(\(OneTimeLink.hash(link.token)), 'hex'), \(link.kind.lifetime) * interval '1 second',
                \(text.subject), \(text.body), \(rules.isLimited))
            """
        ]
    }

    /// Makes the address of a followed link the account's. It opens no session: the link may be in the mailbox of a
    /// stranger whose address was typed by mistake.
    func confirmEmail(byLink link: String) throws -> Response {
        let notice = MailText(newAddressAt: rules.publicURL)
        let rows = try run([
            "select auth.confirm_email(\(link)::uuid, \(notice.subject), \(notice.body))"
        ])[0]
        // The link was used concurrently, or another account has got the address.
        guard rows.bool(0, 0) == true else { throw AuthError.oneTimeTokenExpired }
        return Response(status: 200, json: #"{"code":200,"msg":"Your new address is confirmed. Sign in with it."}"#)
    }
}
