import FoundationEssentials
import HTTP
import Postgres

extension Accounts {
    /// `POST /signup`: a new account, signed in at once.
    public func signUp(_ body: [UInt8]) throws -> Response {
        let form: SignUp = try form(body)
        guard rules.signup == .open else { throw AuthError.signupDisabled }
        guard let given = form.email, !given.isEmpty else {
            guard let phone = form.phone, !phone.isEmpty else { throw AuthError.anonymousProviderDisabled }
            throw AuthError.validationFailed("Signing up by phone is not supported")
        }
        let email = try checkedEmail(given)
        let password = try rules.policy.checked(form.password)
        try checkAttempt("signup \(origin.network)", free: 20, longest: "1 hour")
        let hash = try encoded(password)
        let id = UUID().uuidString
        do {
            let rows = try run([
                """
                insert into auth.users (id, email, encrypted_password, user_metadata, email_confirmed_at)
                select \(id)::uuid, \(email), \(hash),
                    case when jsonb_typeof(form -> 'data') = 'object' then form -> 'data' else '{}' end, now()
                from (select \(String(decoding: body, as: UTF8.self))::jsonb) as sent (form)
                """,
                opening(id, by: "password"),
                "select auth.remember_device(\(id)::uuid, decode(\(origin.device), 'hex'))",
            ])
            return try session(rows[1])
        } catch PostgresError.refused(let refusal) where refusal.sqlState == "23505" {
            throw AuthError.userAlreadyExists
        }
    }

    /// `POST /token?grant_type=password`.
    public func signIn(_ body: [UInt8]) throws -> Response {
        let form: SignIn = try form(body)
        guard let email = form.email?.trimmingBlanks, let password = form.password, !email.isEmpty, !password.isEmpty else {
            throw AuthError.validationFailed("missing email or password")
        }
        let (user, hash) = try provenUser(email, password)
        var batch = [opening(user, by: "password", provenBy: hash), remembering(user, provenBy: hash)]
        if rules.hasher.isOutgrown(hash) { batch.append(contentsOf: rehashing(user, from: hash, to: try encoded(password))) }
        let rows = try run(batch)[0]
        // The password was changed while this one was looked at, or the account disabled.
        guard rows.count == 1 else { throw AuthError.invalidCredentials }
        return try session(rows)
    }

    /// The user of an address and a password. One answer for an unknown address and a wrong password, after the same work,
    /// so that neither words nor time tell which it was; who guesses has to wait longer and longer.
    func provenUser(_ email: String, _ password: String) throws -> (id: String, hash: String) {
        let found = try run([
            """
            select wait, id, password_hash, is_banned, is_confirmed
            from auth.begin_sign_in(\(email), \(origin.network), decode(\(origin.device), 'hex'), \(rules.isLimited))
            """
        ])[0]
        if let wait = found.int(0, 0), wait > 0 { throw AuthError.tooManyAttempts(seconds: wait) }
        // More bytes than any password has need no hashing to be wrong, whoever they are for.
        let presented = password.utf8.count <= PasswordPolicy.longest ? password : ""
        let hash = found.text(0, 2)
        guard rules.hasher.verify(presented, against: hash), let hash, let id = found.text(0, 1) else {
            throw AuthError.invalidCredentials
        }
        guard found.bool(0, 3) != true else { throw AuthError.userBanned }
        guard found.bool(0, 4) == true else { throw AuthError.emailNotConfirmed }
        return (id, hash)
    }

    /// The right password was given from here; as long as it is the right one.
    private func remembering(_ user: String, provenBy hash: String) -> SQL {
        """
        select auth.end_sign_in(id, \(origin.network), decode(\(origin.device), 'hex'))
        from auth.users where id = \(user)::uuid and encrypted_password = \(hash)
        """
    }

    /// The same password by newer parameters, which is no change of it.
    private func rehashing(_ user: String, from old: String, to hash: String) -> [SQL] {
        [
            "select set_config('lectern.is_rehash', 'yes', true)",
            "update auth.users set encrypted_password = \(hash) where id = \(user)::uuid and encrypted_password = \(old)",
        ]
    }

    /// `POST /token?grant_type=refresh_token`.
    public func refresh(_ body: [UInt8]) throws -> Response {
        let form: Refresh = try form(body)
        guard let text = form.refresh_token, !text.isEmpty else {
            throw AuthError.validationFailed("refresh_token required")
        }
        guard let token = rules.keys.all(now: now).lazy.compactMap({ RefreshToken(text, $0) }).first else {
            throw AuthError.refreshTokenNotFound
        }
        let rows = try run([
            """
            select * from auth.refresh_session(
                \(token.session)::uuid, \(token.generation)::int, \(origin.userAgent), \(origin.address),
                decode(\(origin.device), 'hex'))
            """
        ])[0]
        switch rows.text(0, 0) {
        case "rotated": return try session(rows, firstColumn: 1)
        case "already_used": throw AuthError.refreshTokenAlreadyUsed
        case "banned": throw AuthError.userBanned
        default: throw AuthError.refreshTokenNotFound
        }
    }

    /// `POST /logout?scope=global|local|others`: ends sessions, and with them their refresh tokens.
    public func signOut(_ caller: Caller, scope: String?) throws -> Response {
        let (user, session) = try checkedIdentity(caller)
        let which: SQL
        switch scope ?? "global" {
        case "global": which = ""
        case "local": which = " and id = \(session)::uuid"
        case "others": which = " and id <> \(session)::uuid"
        default: throw AuthError.validationFailed("Unsupported logout scope \"\(scope ?? "")\"")
        }
        _ = try run(["delete from auth.sessions where user_id = \(user)::uuid" + which])
        return Response(status: 204)
    }

    // MARK: - Forms

    private struct SignUp: Decodable {
        var email: String?
        var password: String?
        var phone: String?
    }

    private struct SignIn: Decodable {
        var email: String?
        var password: String?
    }

    private struct Refresh: Decodable {
        var refresh_token: String?
    }
}
