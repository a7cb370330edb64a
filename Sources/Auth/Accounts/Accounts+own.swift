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

    /// `PUT /user` `{password?, email?, data?, current_password?, revoke_tokens?}`: changes the password, the address or
    /// the metadata. Members that a user may not change are ignored. A new password ends all other sessions, and revokes
    /// all personal API tokens if `revoke_tokens` is true. A new password and a new address require the current
    /// password, or a sign-in shortly before.
    public func update(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: UpdateForm = try form(body)
        let (user, session) = try checkedIdentity(caller)
        let password = try form.password.map { try rules.policy.checked($0) }
        let email = try newEmail(form.email, of: user)
        if password != nil || email != nil {
            try reauthenticate(user, session, password: form.current_password, member: "current_password")
        }
        var batch: [SQL] = []
        if let password {
            batch += try passwordChange(password, of: user, keeping: session)
            if form.revoke_tokens == true { batch.append(Self.tokenRevocation(user)) }
        }
        if let email { batch += try emailChange(email, of: user) }
        batch.append(metadataMerge("user_metadata", "data", from: body, user))
        batch.append("select auth.user_object(users) from auth.users where id = \(user)::uuid")
        return try Response(status: 200, json: changed(batch, user))
    }

    /// The statements that store a new password and end all other sessions.
    private func passwordChange(_ password: String, of user: String, keeping session: String?) throws -> [SQL] {
        // A thief of a session could use this comparison to guess the password.
        try checkAttempt("password \(user)", free: 5, maxDelay: "15 minutes")
        let old = try run(["select encrypted_password from auth.users where id = \(user)::uuid"])[0]
        if let old = old.text(0, 0), rules.hasher.verify(password, against: old) { throw AuthError.samePassword }
        let hash = try encoded(password)
        return [
            "update auth.users set encrypted_password = \(hash), updated_at = now() where id = \(user)::uuid",
            "delete from auth.sessions where user_id = \(user)::uuid and id <> \(session)::uuid",
        ]
    }

    /// `DELETE /user` `{password}`: deletes the account with all its data, immediately and permanently.
    public func delete(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: PasswordForm = try form(body)
        let (user, _) = try checkedIdentity(caller)
        guard let password = form.password, !password.isEmpty else {
            throw AuthError.validationFailed("Your password is required to delete your account")
        }
        try checkPassword(password, of: user)
        _ = try run(deletion(of: user))
        return Response(status: 204)
    }

    // MARK: - The user's presence

    /// For how long a sign-in shows that the user is present, as a PostgreSQL interval.
    private static let freshness = "5 minutes"

    /// Checks that the user is present: by the password in the request, or by a sign-in shortly before. A session alone
    /// does not permit what would let its thief keep the account.
    ///
    /// - Parameter member: the member of the body that holds the password.
    func reauthenticate(_ user: String, _ session: String?, password: String?, member: String) throws {
        if let password, !password.isEmpty { return try checkPassword(password, of: user) }
        let recent = try run([
            """
            select 1 from auth.sessions
            where id = \(session)::uuid and user_id = \(user)::uuid
                and created_at > now() - \(Self.freshness)::interval
            """
        ])[0]
        guard recent.count == 1 else { throw AuthError.reauthenticationNeeded(member: member) }
    }

    /// Checks the password of a signed-in user. A wrong one counts as a failed sign-in and delays further attempts.
    private func checkPassword(_ password: String, of user: String) throws {
        let email = try run(["select email from auth.users where id = \(user)::uuid"])[0]
        guard email.count == 1, let email = email.text(0, 0) else { throw AuthError.userNotFound }
        let (known, hash) = try authenticatedUser(email, password)
        guard known == user else { throw AuthError.invalidCredentials }
        _ = try run([successRecording(user, verifiedHash: hash)])
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
    func remove(_ what: String, _ statement: SQL) throws -> Response {
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
        var current_password: String?
        var revoke_tokens: Bool?
    }

    private struct PasswordForm: Decodable {
        var password: String?
    }
}
