import FoundationEssentials
import HTTP
import JSON
import Postgres

/// The endpoints for admins, `/admin/…` and `/invite`. They require the service key or a user whose
/// `app_metadata.admin` is true.
extension Accounts {
    /// Throws unless the caller is an admin. It asks the database, because the claims of a token may be an hour old.
    public func checkAdmin(_ caller: Caller) throws {
        switch caller.role {
        case .serviceRole: return
        case .anon: throw caller.isBearer ? AuthError.notAdmin : .noAuthorization
        case .authenticated:
            let (user, session) = try identity(caller)
            let rows = try run([
                """
                select 1 from auth.users join auth.sessions on sessions.user_id = users.id
                where users.id = \(user)::uuid and sessions.id = \(session)::uuid
                    and users.app_metadata -> 'admin' = 'true'
                """
            ])
            guard rows[0].count == 1 else { throw AuthError.notAdmin }
        }
    }

    // MARK: - Users

    /// `GET /admin/users?page=&per_page=`: all accounts, oldest first.
    public func adminList(page: String?, perPage: String?) throws -> Response {
        let page = max(1, page.flatMap { Int($0) } ?? 1)
        let size = min(1_000, max(1, perPage.flatMap { Int($0) } ?? 50))
        let (product, overflow) = (page - 1).multipliedReportingOverflow(by: size)
        let offset = overflow ? Int.max : product
        let rows = try run([
            "select count(*) from auth.users",
            """
            select coalesce(json_agg(auth.user_object(listed) order by listed.created_at, listed.id), '[]')
            from (select * from auth.users order by created_at, id limit \(size) offset \(offset)) as listed
            """,
        ])
        let total = rows[0].int(0, 0) ?? 0
        let last = max(1, (total + size - 1) / size)
        var links = ["</admin/users?page=\(last)&per_page=\(size)>; rel=\"last\""]
        if page < last { links.insert("</admin/users?page=\(page + 1)&per_page=\(size)>; rel=\"next\"", at: 0) }
        return Response(
            status: 200,
            json: JSONText.object([("users", rows[1].text(0, 0) ?? "[]"), ("aud", JSONText.string("authenticated"))]),
            headers: ["x-total-count": String(total), "link": links.joined(separator: ", ")])
    }

    /// `POST /admin/users` `{email, password?, email_confirm?, user_metadata?, app_metadata?, ban_duration?, id?}`.
    public func adminCreate(_ body: [UInt8]) throws -> Response {
        let form: AdminForm = try form(body)
        let email = try checkedEmail(form.email)
        let password = try form.password.map { try rules.policy.checked($0) }
        let id = try form.id.map { try Self.checkedID($0) } ?? UUID().uuidString.lowercased()
        let hash = try password.map { try encoded($0) }
        var batch: [SQL] = [
            """
            insert into auth.users (id, email, encrypted_password, email_confirmed_at)
            values (\(id)::uuid, \(email), \(hash), case when \(form.email_confirm ?? true) then now() end)
            """
        ]
        batch.append(contentsOf: try adminChanges(form, body, id))
        batch.append(Self.account(id))
        return Response(status: 200, json: try changed(batch, id))
    }

    /// `GET /admin/users/<id>`.
    public func adminUser(_ id: String) throws -> Response {
        let rows = try run([Self.account(try Self.checkedID(id))])[0]
        guard rows.count == 1, let account = rows.text(0, 0) else { throw AuthError.noSuchUser }
        return Response(status: 200, json: account)
    }

    /// `PUT /admin/users/<id>`: changes what the body names. A new password and a ban end the user's sessions;
    /// `revoke_tokens` revokes the personal API tokens.
    public func adminUpdate(_ id: String, _ body: [UInt8]) throws -> Response {
        let form: AdminForm = try form(body)
        let id = try Self.checkedID(id)
        var batch: [SQL] = []
        if let password = form.password {
            let hash = try encoded(try rules.policy.checked(password))
            batch.append(
                "update auth.users set encrypted_password = \(hash), updated_at = now() where id = \(id)::uuid")
            batch.append("delete from auth.sessions where user_id = \(id)::uuid")
        }
        if form.revoke_tokens == true { batch.append(Self.tokenRevocation(id)) }
        if let email = form.email, !email.isEmpty {
            batch.append(
                "update auth.users set email = \(try checkedEmail(email)), updated_at = now() where id = \(id)::uuid")
        }
        if let isConfirmed = form.email_confirm {
            batch.append(
                """
                update auth.users
                set email_confirmed_at = case when \(isConfirmed) then coalesce(email_confirmed_at, now()) end,
                    email_is_unproven = email_is_unproven and not \(isConfirmed)
                where id = \(id)::uuid
                """)
        }
        batch.append(contentsOf: try adminChanges(form, body, id))
        batch.append(Self.account(id))
        do {
            return Response(status: 200, json: try changed(batch, id))
        } catch AuthError.userNotFound {
            throw AuthError.noSuchUser
        }
    }

    /// `DELETE /admin/users/<id>`: deletes the account with all its data.
    public func adminDelete(_ id: String, _ body: [UInt8]) throws -> Response {
        let form: DeletionForm? = body.isEmpty ? nil : try form(body)
        guard form?.should_soft_delete != true else {
            throw AuthError.validationFailed("Soft deletion is not supported. To lock a user out, set ban_duration.")
        }
        let id = try Self.checkedID(id)
        guard try run(deletion(of: id))[1].affected == 1 else { throw AuthError.noSuchUser }
        return Response(status: 200, json: "{}")
    }

    /// Deletes an account with all its rows, once the writes of these rows have ended.
    func deletion(of id: String) -> [SQL] {
        ["select rest.lock_writes(array[\(id)]::uuid[])", "delete from auth.users where id = \(id)::uuid"]
    }

    // MARK: - Links

    /// `POST /invite` `{email, data?}`: creates an account and sends a mail that opens it. If the invited user has not
    /// come yet, the mail is sent again with a new link.
    public func invite(_ body: [UInt8]) throws -> Response {
        let form: LinkForm = try form(body)
        let email = try checkedEmail(form.email)
        let invited = try invitedUser(email, body)
        try mail(OneTimeLink(.invite), to: invited, email)
        return try adminUser(invited)
    }

    /// `POST /admin/generate_link` `{type, email, password?, data?, redirect_to?}`: returns the link instead of mailing
    /// it.
    public func generateLink(_ body: [UInt8]) throws -> Response {
        let form: LinkForm = try form(body)
        guard let kind = form.type.flatMap(MailText.Kind.init), kind != .emailChange else {
            throw AuthError.validationFailed("type must be signup, invite, magiclink or recovery")
        }
        let email = try checkedEmail(form.email)
        let user: String
        switch kind {
        case .invite: user = try invitedUser(email, body)
        case .signup:
            guard form.password != nil else { throw AuthError.validationFailed("Signup requires a valid password") }
            user = try newUser(email, password: form.password, body, isInvited: false)
        case .recovery, .magiclink, .emailChange:
            let rows = try run(["select id from auth.users where email_key = lower(normalize(\(email), nfkc))"])[0]
            guard let known = rows.count == 1 ? rows.text(0, 0) : nil else { throw AuthError.noSuchUser }
            user = known
        }
        let link = OneTimeLink(kind)
        let url = rules.publicURL + "/auth/v1/verify?token=" + link.token + "&type=" + kind.rawValue
        let rows = try run([
            link.storing(for: user, .shownToAdmin),
            """
            select auth.user_object(users)::jsonb || jsonb_build_object(
                'action_link', \(url)::text,
                'email_otp', \(link.code)::text, 'hashed_token', \(link.token)::text,
                'verification_type', \(kind.rawValue)::text,
                'redirect_to', \(form.redirect_to ?? rules.publicURL)::text)
            from auth.users where id = \(user)::uuid
            """,
        ])[1]
        return Response(status: 200, json: rows.text(0, 0) ?? "{}")
    }

    /// The account of an invited user, created now or by an earlier invitation.
    private func invitedUser(_ email: String, _ body: [UInt8]) throws -> String {
        let known = try run([
            """
            select id, email_confirmed_at is null and encrypted_password is null from auth.users
            where email_key = lower(normalize(\(email), nfkc))
            """
        ])[0]
        guard known.count == 1, let id = known.text(0, 0) else {
            return try newUser(email, password: nil, body, isInvited: true)
        }
        guard known.bool(0, 1) == true else { throw AuthError.emailExists }
        return id
    }

    /// Creates an account. Its address is confirmed when the user follows the link.
    private func newUser(_ email: String, password: String?, _ body: [UInt8], isInvited: Bool) throws -> String {
        let hash = try password.map { try encoded(try rules.policy.checked($0)) }
        let id = UUID().uuidString.lowercased()
        _ = try changed(
            [
                """
                insert into auth.users (id, email, encrypted_password, invited_at)
                values (\(id)::uuid, \(email), \(hash), case when \(isInvited) then now() end)
                """,
                metadataMerge("user_metadata", "data", from: body, id), Self.account(id),
            ], id)
        return id
    }

    // MARK: - Audit log

    /// `GET /admin/audit?page=&per_page=`: changes of all accounts, newest first.
    public func adminAudit(page: String?, perPage: String?) throws -> Response {
        let size = min(1_000, max(1, perPage.flatMap { Int($0) } ?? 50))
        let page = min(1_000_000, max(1, page.flatMap { Int($0) } ?? 1))
        return try list(
            """
            select id, at, action, actor, user_id, address, user_agent, details
            from auth.audit_log order by id desc limit \(size) offset \((page - 1) * size)
            """)
    }

    // MARK: - Helpers

    private static func account(_ id: String) -> SQL {
        "select auth.user_object(users) from auth.users where id = \(id)::uuid"
    }

    private static func checkedID(_ id: String) throws(AuthError) -> String {
        guard UUID(uuidString: id) != nil else { throw .validationFailed("user_id must be a UUID") }
        return id.lowercased()
    }

    /// The statements for metadata and bans, which creating and updating have in common.
    private func adminChanges(_ form: AdminForm, _ body: [UInt8], _ id: String) throws(AuthError) -> [SQL] {
        var batch = [
            metadataMerge("user_metadata", "user_metadata", from: body, id),
            metadataMerge("app_metadata", "app_metadata", from: body, id),
        ]
        guard let ban = form.ban_duration else { return batch }
        if ban == "none" {
            batch.append("update auth.users set banned_until = null where id = \(id)::uuid")
            return batch
        }
        // Durations of hours, minutes and seconds in Go's syntax, which PostgreSQL reads too.
        guard ban.utf8.count <= 20, ban.wholeMatch(of: /([0-9]+(\.[0-9]+)?(h|m|s))+/) != nil else {
            throw .validationFailed("ban_duration must be \"none\" or a duration such as 24h")
        }
        batch.append("update auth.users set banned_until = now() + \(ban)::interval where id = \(id)::uuid")
        batch.append("delete from auth.sessions where user_id = \(id)::uuid")
        return batch
    }

    private struct AdminForm: Decodable {
        var id: String?
        var email: String?
        var password: String?
        var email_confirm: Bool?
        var ban_duration: String?
        var revoke_tokens: Bool?
    }

    private struct DeletionForm: Decodable {
        var should_soft_delete: Bool?
    }

    private struct LinkForm: Decodable {
        var type: String?
        var email: String?
        var password: String?
        var redirect_to: String?
    }
}
