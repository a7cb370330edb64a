import FoundationEssentials
import HTTP
import Postgres

/// Sign-up, sign-in, refresh and sign-out.
extension Accounts {
    /// What a sign-up leads to at the moment.
    enum SignupMode {
        case refused, account
        /// The first account of the server, which becomes an admin.
        case firstAccount
    }

    func signupNow() throws -> SignupMode {
        switch rules.signup {
        case .open: return .account
        case .first:
            let hasAccounts = try run(["select exists (select from auth.users)"])[0].bool(0, 0)
            return hasAccounts == false ? .firstAccount : .refused
        case .invite, .closed: return .refused
        }
    }

    /// `POST /signup`: creates an account and signs it in.
    public func signUp(_ body: [UInt8]) throws -> Response {
        let form: SignUpForm = try form(body)
        let mode = try signupNow()
        guard mode != .refused else { throw AuthError.signupDisabled }
        guard let given = form.email, !given.isEmpty else {
            guard let phone = form.phone, !phone.isEmpty else { throw AuthError.anonymousProviderDisabled }
            throw AuthError.validationFailed("Signing up by phone is not supported")
        }
        let email = try checkedEmail(given)
        let password = try rules.policy.checked(form.password)
        try checkAttempt("signup \(origin.network)", free: 20, maxDelay: "1 hour")
        let hash = try encoded(password)
        let id = UUID().uuidString
        do {
            let rows = try run(
                insertion(id, email, hash, body, mode) + [
                    """
                    select auth.remember_device(id, decode(\(origin.device), 'hex'))
                    from auth.users where id = \(id)::uuid
                    """,
                    sessionOpening(id, by: "password"),
                ])
            // Another request has created the first account since.
            guard let opened = rows.last, opened.count == 1 else { throw AuthError.signupDisabled }
            return try session(opened)
        } catch PostgresError.refused(let refusal) where refusal.sqlState == "23505" {
            throw AuthError.userAlreadyExists
        }
    }

    /// The statements that create an account. A lock makes simultaneous requests for the first account wait for each
    /// other, so that all but one of them create nothing.
    private func insertion(
        _ id: String, _ email: String, _ hash: String, _ body: [UInt8], _ mode: SignupMode
    ) -> [SQL] {
        let insert: SQL = """
            insert into auth.users (
                id, email, encrypted_password, user_metadata, email_confirmed_at, email_is_unproven)
            select \(id)::uuid, \(email), \(hash),
                case when jsonb_typeof(form -> 'data') = 'object' then form -> 'data' else '{}' end, now(),
                \(mode != .firstAccount)
            from (select \(String(decoding: body, as: UTF8.self))::jsonb) as sent (form)
            """
        guard mode == .firstAccount else { return [insert] }
        return [
            "select pg_advisory_xact_lock(hashtextextended('first account', 0))",
            insert + " where not exists (select from auth.users)",
            """
            update auth.users set app_metadata = app_metadata || '{"admin": true}' where id = \(id)::uuid
            """,
        ]
    }

    /// `POST /token?grant_type=password`.
    public func signIn(_ body: [UInt8]) throws -> Response {
        let form: SignInForm = try form(body)
        guard let email = form.email?.trimmingBlanks, let password = form.password, !email.isEmpty, !password.isEmpty
        else {
            throw AuthError.validationFailed("missing email or password")
        }
        let (user, hash) = try authenticatedUser(email, password)
        var batch = [
            sessionOpening(user, by: "password", verifiedHash: hash), successRecording(user, verifiedHash: hash),
        ]
        if rules.hasher.needsRehash(hash) {
            batch.append(contentsOf: rehashing(user, from: hash, to: try encoded(password)))
        }
        let rows = try run(batch)[0]
        // The password was changed or the account banned during the verification.
        guard rows.count == 1 else { throw AuthError.invalidCredentials }
        return try session(rows)
    }

    /// The user with this address and password. An unknown address and a wrong password give the same error after the
    /// same work, so neither text nor time reveals which it was. Each further failure makes the next attempt wait
    /// longer.
    func authenticatedUser(_ email: String, _ password: String) throws -> (id: String, hash: String) {
        let found = try run([
            """
            select wait, id, password_hash, is_banned, is_confirmed
            from auth.begin_sign_in(\(email), \(origin.network), decode(\(origin.device), 'hex'), \(rules.isLimited))
            """
        ])[0]
        if let wait = found.int(0, 0), wait > 0 { throw AuthError.tooManyAttempts(seconds: wait) }
        // A text longer than any password is wrong for every user. It is replaced, which bounds the work.
        let presented = password.utf8.count <= PasswordPolicy.maxBytes ? password : ""
        let hash = found.text(0, 2)
        guard rules.hasher.verify(presented, against: hash), let hash, let id = found.text(0, 1) else {
            throw AuthError.invalidCredentials
        }
        guard found.bool(0, 3) != true else { throw AuthError.userBanned }
        guard found.bool(0, 4) == true else { throw AuthError.emailNotConfirmed }
        return (id, hash)
    }

    /// The statement that records a successful sign-in from this device, unless the password has changed.
    func successRecording(_ user: String, verifiedHash hash: String) -> SQL {
        """
        select auth.end_sign_in(id, \(origin.network), decode(\(origin.device), 'hex'))
        from auth.users where id = \(user)::uuid and encrypted_password = \(hash)
        """
    }

    /// The statements that store a hash of the same password with newer parameters. This does not count as a change of
    /// the password.
    private func rehashing(_ user: String, from old: String, to hash: String) -> [SQL] {
        [
            "select set_config('lectern.is_rehash', 'yes', true)",
            """
            update auth.users set encrypted_password = \(hash)
            where id = \(user)::uuid and encrypted_password = \(old)
            """,
        ]
    }

    /// `POST /token?grant_type=refresh_token`.
    public func refresh(_ body: [UInt8]) throws -> Response {
        let form: RefreshForm = try form(body)
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

    /// `POST /logout?scope=global|local|others`: ends sessions with their refresh tokens.
    public func signOut(_ caller: Caller, scope: String?) throws -> Response {
        let (user, session) = try checkedIdentity(caller)
        let condition: SQL
        switch scope ?? "global" {
        case "global": condition = ""
        case "local": condition = " and id = \(session)::uuid"
        case "others": condition = " and id <> \(session)::uuid"
        default: throw AuthError.validationFailed("Unsupported logout scope \"\(scope ?? "")\"")
        }
        _ = try run(["delete from auth.sessions where user_id = \(user)::uuid" + condition])
        return Response(status: 204)
    }

    // MARK: - Forms

    private struct SignUpForm: Decodable {
        var email: String?
        var password: String?
        var phone: String?
    }

    private struct SignInForm: Decodable {
        var email: String?
        var password: String?
    }

    private struct RefreshForm: Decodable {
        var refresh_token: String?
    }
}
