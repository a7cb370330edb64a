import FoundationEssentials
import HTTP
import Postgres

/// One-time links and codes: sends them by mail and exchanges them for sessions.
extension Accounts {
    /// `POST /recover` `{email}`: mails a link for choosing a new password.
    public func recover(_ body: [UInt8]) throws -> Response {
        let form: AddressForm = try form(body)
        return try mailLink(.recovery, to: try checkedEmail(form.email))
    }

    /// `POST /resend` `{type: "signup", email}`: mails a link that confirms the address of an account, if nobody has
    /// confirmed it yet.
    public func resend(_ body: [UInt8]) throws -> Response {
        let form: AddressForm = try form(body)
        guard form.type == MailText.Kind.signup.rawValue else {
            throw AuthError.validationFailed("Only links of the type signup can be sent again")
        }
        return try mailLink(.signup, to: try checkedEmail(form.email))
    }

    /// Mails a link to the account of an address. The response is the same for every address. The work differs only by
    /// two rows, so the time does not reveal whether there is an account.
    private func mailLink(_ kind: MailText.Kind, to email: String) throws -> Response {
        try checkAttempt("mail \(origin.network)", free: 10, maxDelay: "1 hour")
        let link = OneTimeLink(kind)
        let text = MailText(kind, link: link.url(rules.publicURL), service: rules.publicURL)
        _ = try run([
            """
            select auth.mail_link(\(email), \(link.kind.rawValue), \(link.id)::uuid,
                decode(\(OneTimeLink.hash(link.token)), 'hex'),
                \(link.kind.lifetime) * interval '1 second', \(text.subject), \(text.body), \(rules.isLimited))
            """
        ])
        return Response(status: 200, json: "{}")
    }

    /// Stores a link and queues the mail with it.
    func mail(_ link: OneTimeLink, to user: String, _ email: String) throws {
        let url = link.url(rules.publicURL)
        let text = MailText(link.kind, link: url, service: rules.publicURL)
        _ = try run([
            link.storing(for: user, .mailed),
            mailQueuing(text, link.kind.rawValue, to: user, email, within: link.kind.lifetime),
        ])
    }

    /// The statement that queues a mail for the jobs process.
    ///
    /// - Parameter lifetime: seconds after which the mail is no longer sent.
    func mailQueuing(_ text: MailText, _ kind: String, to user: String, _ email: String, within lifetime: Int) -> SQL {
        """
        insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
        values (\(user)::uuid, \(kind), \(email), \(text.subject), \(text.body),
            now() + \(lifetime) * interval '1 second')
        """
    }

    /// `GET /verify?token=…&type=…`: redirects to a page that asks before it uses the link. Changes nothing.
    public func verificationPage(token: String?, type: String?) -> Response {
        let page = rules.publicURL + "/account/"
        guard let token, !token.isEmpty, token.utf8.allSatisfy(Self.isTokenCharacter),
            let kind = type.flatMap(MailText.Kind.init)
        else {
            return Response(
                status: 303,
                headers: [
                    "location": page + "#error=access_denied&error_code=otp_expired"
                        + "&error_description=Email+link+is+invalid+or+has+expired"
                ])
        }
        return Response(status: 303, headers: ["location": "\(page)#token_hash=\(token)&type=\(kind.rawValue)"])
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// `POST /verify` `{type, token_hash}` or `{type, email, token}`: exchanges a link or its code for a session. Each
    /// works once. A link for choosing a new password ends all other sessions, and revokes all personal API tokens unless
    /// `revoke_tokens` is false. A link for a new address opens no session.
    public func verify(_ body: [UInt8]) throws -> Response {
        let form: VerificationForm = try form(body)
        guard let type = form.type else { throw AuthError.validationFailed("Verify requires a verification type") }
        // Clients call the code of a sign-in link `email`.
        guard let kind = MailText.Kind(rawValue: type == "email" ? "magiclink" : type) else {
            throw AuthError.validationFailed("Invalid verification type")
        }
        let link: String?
        if let token = form.token_hash, !token.isEmpty {
            link = try findLink(kind, token)
        } else if let email = form.email, let code = form.token, !email.isEmpty, !code.isEmpty {
            link = try findLink(kind, try checkedEmail(email), code)
        } else {
            throw AuthError.validationFailed("Verify requires a token or a token hash")
        }
        guard let link else { throw AuthError.oneTimeTokenExpired }
        if kind == .emailChange { return try confirmEmail(byLink: link) }
        let method = kind == .invite ? "invite" : "otp"
        let revokesTokens = kind == .recovery && form.revoke_tokens != false
        let rows = try run([
            """
            select * from auth.open_session_by_link(
                \(link)::uuid, \(method), \(origin.userAgent), \(origin.address), decode(\(origin.device), 'hex'),
                \(revokesTokens))
            """
        ])[0]
        // The link was used concurrently, or the account is banned.
        guard rows.count == 1 else { throw AuthError.oneTimeTokenExpired }
        return try session(rows)
    }

    /// Finds a link by its token.
    private func findLink(_ kind: MailText.Kind, _ token: String) throws -> String? {
        let rows = try run([
            """
            select id from auth.one_time_tokens
            where token_hash = decode(\(OneTimeLink.hash(token)), 'hex') and kind = \(kind.rawValue)
                and expires_at > now()
                and not exists (select from auth.users where users.id = user_id and banned_until > now())
            """
        ])[0]
        return rows.count == 1 ? rows.text(0, 0) : nil
    }

    /// Finds a link by its code. Each attempt counts as one of five, also a correct one. The link itself remains valid.
    private func findLink(_ kind: MailText.Kind, _ email: String, _ code: String) throws -> String? {
        try checkAttempt("code \(origin.network)", free: 10, maxDelay: "15 minutes")
        let rows = try run([
            """
            update auth.one_time_tokens links set tries = tries + 1
            from auth.users
            where users.email_key = lower(normalize(\(email), nfkc)) and links.user_id = users.id
                and links.kind = \(kind.rawValue) and links.expires_at > now() and links.tries < 5
                and links.code_hash is not null and (users.banned_until is null or users.banned_until <= now())
            returning links.id, links.code_hash = sha256(convert_to(links.id::text || \(code), 'UTF8'))
            """
        ])[0]
        return rows.count == 1 && rows.bool(0, 1) == true ? rows.text(0, 0) : nil
    }

    private struct AddressForm: Decodable {
        var email: String?
        var type: String?
    }

    private struct VerificationForm: Decodable {
        var type: String?
        var token_hash: String?
        var token: String?
        var email: String?
        var revoke_tokens: Bool?
    }
}
