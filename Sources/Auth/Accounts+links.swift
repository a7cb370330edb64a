import FoundationEssentials
import HTTP
import Postgres

/// Links and digits that are mailed, and what they are traded for.
extension Accounts {
    /// `POST /recover` `{email}`: mails a link to choose a new password. The answer is the same for every address, and so
    /// is the work but for two rows.
    public func recover(_ body: [UInt8]) throws -> Response {
        let form: Address = try form(body)
        let email = try checkedEmail(form.email)
        try checkAttempt("mail \(origin.network)", free: 10, longest: "1 hour")
        let link = OneTimeLink(.recovery)
        let text = MailText(.recovery, link: link.address(rules.publicURL), service: rules.publicURL)
        _ = try run([
            """
            select auth.mail_link(\(email), \(link.kind.rawValue), \(link.id)::uuid, decode(\(OneTimeLink.hash(link.token)), 'hex'),
                \(link.kind.lifetime) * interval '1 second', \(text.subject), \(text.body), \(rules.isLimited))
            """
        ])
        return Response(status: 200, json: "{}")
    }

    /// Keeps a link and queues the mail that brings it.
    func mail(_ link: OneTimeLink, to user: String, _ email: String) throws {
        let address = link.address(rules.publicURL)
        let text = MailText(link.kind, link: address, service: rules.publicURL)
        _ = try run([link.storing(for: user, .mailed), mailing(text, link.kind.rawValue, to: user, email, within: link.kind.lifetime)])
    }

    /// Puts a mail into the queue of the jobs process.
    ///
    /// - Parameter lifetime: seconds after which it is not worth sending.
    func mailing(_ text: MailText, _ kind: String, to user: String, _ email: String, within lifetime: Int) -> SQL {
        """
        insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
        values (\(user)::uuid, \(kind), \(email), \(text.subject), \(text.body), now() + \(lifetime) * interval '1 second')
        """
    }

    /// `GET /verify?token=…&type=…`: leads to the page that asks before it uses the link up. Changes nothing.
    public func verificationPage(token: String?, type: String?) -> Response {
        let page = rules.publicURL + "/account/"
        guard let token, !token.isEmpty, token.utf8.allSatisfy(Self.isTokenCharacter),
            let kind = type.flatMap(MailText.Kind.init)
        else {
            return Response(
                status: 303,
                headers: ["location": page + "#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired"])
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

    /// `POST /verify` `{type, token_hash}` or `{type, email, token}`: trades a link or its digits for a session. Single
    /// use; a link to choose a new password ends all sessions there are.
    public func verify(_ body: [UInt8]) throws -> Response {
        let form: Verification = try form(body)
        guard let type = form.type else { throw AuthError.validationFailed("Verify requires a verification type") }
        // What clients call the digits of a mail to sign in.
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
        let method = kind == .invite ? "invite" : "otp"
        let rows = try run([
            """
            select * from auth.open_session_by_link(
                \(link)::uuid, \(method), \(origin.userAgent), \(origin.address), decode(\(origin.device), 'hex'))
            """
        ])[0]
        // Used by somebody else meanwhile, or the account is disabled.
        guard rows.count == 1 else { throw AuthError.oneTimeTokenExpired }
        return try session(rows)
    }

    private func findLink(_ kind: MailText.Kind, _ token: String) throws -> String? {
        let rows = try run([
            """
            select id from auth.one_time_tokens
            where token_hash = decode(\(OneTimeLink.hash(token)), 'hex') and kind = \(kind.rawValue) and expires_at > now()
                and not exists (select from auth.users where users.id = user_id and banned_until > now())
            """
        ])[0]
        return rows.count == 1 ? rows.text(0, 0) : nil
    }

    /// Each code costs one of five tries, the right one too; the link itself goes on.
    private func findLink(_ kind: MailText.Kind, _ email: String, _ code: String) throws -> String? {
        try checkAttempt("code \(origin.network)", free: 10, longest: "15 minutes")
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

    private struct Address: Decodable {
        var email: String?
    }

    private struct Verification: Decodable {
        var type: String?
        var token_hash: String?
        var token: String?
        var email: String?
    }
}
