import Crypto
import FoundationEssentials
import HTTP
import Postgres

/// The endpoints for a user's own account.
extension Accounts {
    // MARK: - The account

    /// `GET /user`.
    public func user(_ caller: Caller) throws -> Response {
        let (user, session) = try identity(caller)
        let rows = try run([
            """
            select auth.user_object(users), \(session)::uuid is null or sessions.id is not null
            from auth.users left join auth.sessions on sessions.user_id = users.id and sessions.id = \(session)::uuid
            where users.id = \(user)::uuid
            """
        ])[0]
        guard rows.count == 1, let account = rows.text(0, 0) else { throw AuthError.userNotFound }
        guard rows.bool(0, 1) == true else { throw AuthError.sessionNotFound }
        return Response(status: 200, json: account)
    }

    /// `PUT /user`: changes the password, the address or the metadata. Members that a user may not change are ignored.
    /// A new password ends all other sessions.
    public func update(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: UpdateForm = try form(body)
        let (user, session) = try checkedIdentity(caller)
        var batch: [SQL] = []
        if let password = form.password {
            let password = try rules.policy.checked(password)
            // A thief of a session could use this comparison to guess the password.
            try checkAttempt("password \(user)", free: 5, maxDelay: "15 minutes")
            let old = try run(["select encrypted_password from auth.users where id = \(user)::uuid"])[0]
            if let old = old.text(0, 0), rules.hasher.verify(password, against: old) { throw AuthError.samePassword }
            let hash = try encoded(password)
            batch.append(
                "update auth.users set encrypted_password = \(hash), updated_at = now() where id = \(user)::uuid")
            batch.append("delete from auth.sessions where user_id = \(user)::uuid and id <> \(session)::uuid")
        }
        if let email = form.email, !email.isEmpty {
            let email = try checkedEmail(email)
            // Notifies the old address, because a thief of a session would change the address first.
            let notice = MailText(newAddressAt: rules.publicURL)
            batch.append(
                """
                insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
                select id, 'email_changed', email, \(notice.subject), \(notice.body), now() + interval '1 day'
                from auth.users where id = \(user)::uuid and email <> \(email)
                """)
            batch.append(
                """
                update auth.users set email = \(email), updated_at = now()
                where id = \(user)::uuid and email <> \(email)
                """)
        }
        batch.append(metadataMerge("user_metadata", "data", from: body, user))
        batch.append("select auth.user_object(users) from auth.users where id = \(user)::uuid")
        return try Response(status: 200, json: changed(batch, user))
    }

    /// `DELETE /user` `{password}`: deletes the account with all its data, immediately and permanently.
    public func delete(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: PasswordForm = try form(body)
        let (user, _) = try checkedIdentity(caller)
        guard let password = form.password, !password.isEmpty else {
            throw AuthError.validationFailed("Your password is required to delete your account")
        }
        let email = try run(["select email from auth.users where id = \(user)::uuid"])[0].text(0, 0)
        guard let email, try authenticatedUser(email, password).id == user else { throw AuthError.invalidCredentials }
        _ = try run(["delete from auth.users where id = \(user)::uuid"])
        return Response(status: 204)
    }

    // MARK: - Sessions

    /// `GET /sessions`: the devices that are signed in, most recently used first.
    public func sessions(_ caller: Caller) throws -> Response {
        let (user, session) = try checkedIdentity(caller)
        return try list(
            """
            select id, created_at, refreshed_at as last_seen_at, user_agent, address, aal, amr,
                id = \(session)::uuid as current
            from auth.sessions where user_id = \(user)::uuid order by refreshed_at desc, id
            """)
    }

    /// `DELETE /sessions/<id>`: ends a session.
    public func endSession(_ caller: Caller, _ id: String) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try remove(
            "session",
            "delete from auth.sessions where id::text = \(id.lowercased()) and user_id = \(user)::uuid")
    }

    // MARK: - Personal API tokens

    /// The maximum number of tokens of one user.
    static let maxTokens = 100

    /// `GET /tokens`: the personal API tokens, without their texts.
    public func tokens(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try list(
            """
            select id, name, scope, prefix, created_at, expires_at, last_used_at, last_used_address
            from auth.api_tokens where user_id = \(user)::uuid order by created_at desc, id
            """)
    }

    /// `POST /tokens` `{name, scope, expires_in?}` (seconds): creates a token. Only this response contains its text.
    public func makeToken(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: TokenForm = try form(body)
        let (user, _) = try checkedIdentity(caller)
        guard let name = form.name?.trimmingBlanks, (1...100).contains(name.count) else {
            throw AuthError.validationFailed("name must have 1 to 100 characters")
        }
        guard let scope = form.scope.flatMap(PersonalToken.Scope.init) else {
            let scopes = PersonalToken.Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuthError.validationFailed("scope must be one of \(scopes)")
        }
        if let seconds = form.expires_in, !(60...3_153_600_000).contains(seconds) {
            throw AuthError.validationFailed("expires_in must be a number of seconds from 60 to 3153600000")
        }
        let token = PersonalToken()
        let rows = try run([
            "select pg_advisory_xact_lock(hashtextextended('tokens of ' || \(user), 0))",
            """
            insert into auth.api_tokens (user_id, name, scope, prefix, token_hash, expires_at)
            select \(user)::uuid, \(name), \(scope.rawValue), \(token.prefix), decode(\(token.hash), 'hex'),
                now() + \(form.expires_in)::int8 * interval '1 second'
            where (select count(*) from auth.api_tokens where user_id = \(user)::uuid) < \(literal: Self.maxTokens)
            returning json_build_object(
                'id', id, 'name', name, 'scope', scope, 'prefix', prefix, 'created_at', created_at,
                'expires_at', expires_at, 'last_used_at', null, 'last_used_address', null, 'token', \(token.text)::text)
            """,
        ])[1]
        guard rows.count == 1, let made = rows.text(0, 0) else {
            throw AuthError.conflict(
                "You have \(Self.maxTokens) tokens, which is the maximum. Revoke a token that you no longer need.")
        }
        return Response(status: 201, json: made)
    }

    /// `DELETE /tokens/<id>`: revokes a token.
    public func revokeToken(_ caller: Caller, _ id: String) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try remove(
            "token", "delete from auth.api_tokens where id::text = \(id.lowercased()) and user_id = \(user)::uuid")
    }

    // MARK: - Audit log

    /// `GET /audit`: the last 200 changes of the account, newest first.
    public func audit(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try list(
            """
            select id, at, action, actor, address, user_agent, details
            from auth.audit_log where user_id = \(user)::uuid order by id desc limit 200
            """)
    }

    // MARK: - Helpers

    /// The rows of a query as a JSON array of objects.
    func list(_ query: SQL) throws -> Response {
        let rows = try run(["select coalesce(json_agg(row_to_json(t)), '[]') from (" + query + ") as t"])[0]
        return Response(status: 200, json: rows.text(0, 0) ?? "[]")
    }

    /// Deletes something of the user; 404 if it does not exist.
    private func remove(_ what: String, _ statement: SQL) throws -> Response {
        guard try run([statement])[0].affected > 0 else { throw AuthError.noSuch(what) }
        return Response(status: 204)
    }

    /// The statement that merges an object of the body into metadata; see `auth.merged_metadata`.
    func metadataMerge(_ column: String, _ member: String, from body: [UInt8], _ user: String) -> SQL {
        let text = String(decoding: body, as: UTF8.self)
        return """
            update auth.users set updated_at = now(),
                \(name: column) = auth.merged_metadata(\(name: column), \(text)::jsonb -> \(member))
            where id = \(user)::uuid and jsonb_typeof(\(text)::jsonb -> \(member)) = 'object'
            """
    }

    /// Runs changes of an account. The last statement returns the user object.
    func changed(_ batch: [SQL], _ user: String) throws -> String {
        do {
            guard let last = try run(batch).last, last.count == 1, let account = last.text(0, 0) else {
                throw AuthError.userNotFound
            }
            return account
        } catch PostgresError.refused(let refusal) where refusal.constraint == "users_email_key" {
            throw AuthError.emailExists
        } catch PostgresError.refused(let refusal) where refusal.constraint == "users_metadata_size" {
            throw AuthError.validationFailed("The metadata exceeds one megabyte")
        }
    }

    // MARK: - Forms

    private struct UpdateForm: Decodable {
        var password: String?
        var email: String?
    }

    private struct PasswordForm: Decodable {
        var password: String?
    }

    private struct TokenForm: Decodable {
        var name: String?
        var scope: String?
        var expires_in: Int?
    }
}
