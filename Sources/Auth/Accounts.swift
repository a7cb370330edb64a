import Crypto
import FoundationEssentials
import HTTP
import Postgres

/// Signing up, in, on and out: each function is one endpoint of the auth API, from its body to its answer.
public struct Accounts {
    /// Runs statements as `auth_service`, in one transaction.
    public typealias Run = ([SQL]) throws(PostgresError) -> [Rows]

    /// Fewest characters of a password.
    public static let shortestPassword = 6
    /// Most bytes of a password, as GoTrue has it (bcrypt's limit there; a bound on hashing work here).
    static let longestPassword = 72
    /// Longest user metadata copied into a token, in bytes: a larger one stays in the user object only, since a
    /// token too long for a request header would lock its user out.
    static let longestMetadataInToken = 4_096

    private let key: TokenKey
    private let hasher: PasswordHasher
    private let issuer: String
    /// Seconds an access token lives.
    private let lifetime: Int
    private let isSignupOpen: Bool
    private let run: Run

    public init(
        key: TokenKey, hasher: PasswordHasher, issuer: String, lifetime: Int, isSignupOpen: Bool, run: @escaping Run
    ) {
        self.key = key
        self.hasher = hasher
        self.issuer = issuer
        self.lifetime = lifetime
        self.isSignupOpen = isSignupOpen
        self.run = run
    }

    /// Where a request came from, kept with the session it opens.
    public struct Origin: Sendable {
        var userAgent: String?
        var address: String?

        public init(userAgent: String?, address: String?) {
            self.userAgent = userAgent.map { String($0.prefix(500)) }
            self.address = address
        }
    }

    // MARK: - Endpoints

    /// `POST /signup`: a new account, signed in at once.
    public func signUp(_ body: [UInt8], from origin: Origin, now: Int) throws -> Response {
        let form = try SignUp(body)
        guard isSignupOpen else { throw AuthError.signupDisabled }
        let email = try Self.checkedEmail(form.email, phone: form.phone)
        let password = try Self.checkedPassword(form.password)
        guard let hash = hasher.encode(password) else { throw PostgresError.unavailable(reason: "no memory to hash with") }
        let text = String(decoding: body, as: UTF8.self)
        do {
            let rows = try run([
                """
                with account as (
                    insert into auth.users (email, encrypted_password, user_metadata, email_confirmed_at, last_sign_in_at)
                    select \(email), \(hash),
                        case when jsonb_typeof(body -> 'data') = 'object' then body -> 'data' else '{}' end, now(), now()
                    from (select \(text)::jsonb as body) as form
                    returning *
                ), session as (
                    insert into auth.sessions (user_id, user_agent, address)
                    select id, \(origin.userAgent), \(origin.address) from account
                    returning id, generation
                )
                select session.id, session.generation, auth.user_object(row(account.*)::auth.users), account.id, account.email,
                    account.app_metadata, account.user_metadata
                from account, session
                """
            ])
            return try grant(rows[0], now: now)
        } catch PostgresError.refused(let refusal) where refusal.sqlState == "23505" {
            throw AuthError.userAlreadyExists
        }
    }

    /// `POST /token?grant_type=password`.
    public func signIn(_ body: [UInt8], from origin: Origin, now: Int) throws -> Response {
        let form: SignIn = try Self.form(body)
        guard let email = form.email, let password = form.password, !email.isEmpty, !password.isEmpty else {
            throw AuthError.validationFailed("missing email or password")
        }
        let found = try run([
            "select id, encrypted_password from auth.users where lower(email) = lower(\(email))"
        ])[0]
        // An unknown address costs the same hashing as a known one, so that time does not tell which it was.
        let hash = found.count == 1 ? found.text(0, 1) : nil
        let fits = hasher.verify(password, against: hash)
        guard fits, let user = found.count == 1 ? found.text(0, 0) : nil else { throw AuthError.invalidCredentials }
        let rows = try run([
            """
            with account as (
                update auth.users set last_sign_in_at = now() where id = \(user)::uuid returning *
            ), session as (
                insert into auth.sessions (user_id, user_agent, address)
                select id, \(origin.userAgent), \(origin.address) from account
                returning id, generation
            )
            select session.id, session.generation, auth.user_object(row(account.*)::auth.users), account.id, account.email,
                account.app_metadata, account.user_metadata
            from account, session
            """
        ])
        return try grant(rows[0], now: now)
    }

    /// `POST /token?grant_type=refresh_token`.
    public func refresh(_ body: [UInt8], now: Int) throws -> Response {
        let form: Refresh = try Self.form(body)
        guard let text = form.refresh_token, !text.isEmpty else {
            throw AuthError.validationFailed("refresh_token required")
        }
        guard let token = RefreshToken(text, key) else { throw AuthError.refreshTokenNotFound }
        let rows = try run([
            """
            select refreshed.outcome, \(token.session)::text, refreshed.generation, refreshed.account,
                users.id, users.email, users.app_metadata, users.user_metadata
            from auth.refresh_session(\(token.session)::uuid, \(token.generation)::int) as refreshed
            left join auth.users on users.id = (refreshed.account ->> 'id')::uuid
            """
        ])[0]
        switch rows.text(0, 0) {
        case "rotated": return try grant(rows, now: now, firstColumn: 1)
        case "already_used": throw AuthError.refreshTokenAlreadyUsed
        default: throw AuthError.refreshTokenNotFound
        }
    }

    /// `GET /user`.
    public func user(_ caller: Caller) throws -> Response {
        let (userID, sessionID) = try Self.identity(caller)
        let rows = try run([
            """
            select auth.user_object(users), sessions.id is not null
            from auth.users left join auth.sessions on sessions.user_id = users.id and sessions.id = \(sessionID)::uuid
            where users.id = \(userID)::uuid
            """
        ])[0]
        guard rows.count == 1, let account = rows.text(0, 0) else { throw AuthError.userNotFound }
        guard rows.bool(0, 1) == true else { throw AuthError.sessionNotFound }
        return Response(status: 200, json: account)
    }

    /// `POST /logout?scope=global|local|others`: ends sessions, and with them their refresh tokens.
    public func signOut(_ caller: Caller, scope: String?) throws -> Response {
        let (userID, sessionID) = try Self.identity(caller)
        let which: SQL
        switch scope ?? "global" {
        case "global": which = ""
        case "local": which = " and id = \(sessionID)::uuid"
        case "others": which = " and id <> \(sessionID)::uuid"
        default: throw AuthError.validationFailed("Unsupported logout scope \"\(scope ?? "")\"")
        }
        _ = try run(["delete from auth.sessions where user_id = \(userID)::uuid" + which])
        return Response(status: 204)
    }

    // MARK: - The session object

    /// The answer to every grant: access token, refresh token, user.
    ///
    /// - Parameter rows: one row of session id, generation, user object, user id, email, app and user metadata.
    private func grant(_ rows: Rows, now: Int, firstColumn first: Int = 0) throws -> Response {
        guard rows.count == 1, let session = rows.text(0, first), let generation = rows.int(0, first + 1),
            let account = rows.text(0, first + 2), let id = rows.text(0, first + 3), let email = rows.text(0, first + 4),
            let appMetadata = rows.text(0, first + 5), let userMetadata = rows.text(0, first + 6)
        else { throw PostgresError.broken(reason: "a grant without its row") }
        let expiresAt = now + lifetime
        let boundedMetadata = userMetadata.utf8.count <= Self.longestMetadataInToken ? userMetadata : "{}"
        let payload = JSONText.object([
            ("iss", JSONText.string(issuer)), ("sub", JSONText.string(id)), ("aud", JSONText.string("authenticated")),
            ("exp", String(expiresAt)), ("iat", String(now)), ("email", JSONText.string(email)),
            ("phone", JSONText.string("")), ("app_metadata", appMetadata), ("user_metadata", boundedMetadata),
            ("role", JSONText.string("authenticated")), ("aal", JSONText.string("aal1")),
            ("amr", #"[{"method":"password","timestamp":\#(now)}]"#), ("session_id", JSONText.string(session)),
            ("is_anonymous", "false"),
        ])
        return Response(
            status: 200,
            json: JSONText.object([
                ("access_token", JSONText.string(key.sign(payload: payload))), ("token_type", JSONText.string("bearer")),
                ("expires_in", String(lifetime)), ("expires_at", String(expiresAt)),
                ("refresh_token", JSONText.string(RefreshToken(session: session, generation: generation).text(key))),
                ("user", account),
            ]))
    }

    private static func identity(_ caller: Caller) throws(AuthError) -> (user: String, session: String) {
        guard let user = caller.userID else { throw .noAuthorization }
        guard let session = caller.sessionID, UUID(uuidString: session) != nil else { throw .sessionNotFound }
        return (user, session)
    }

    // MARK: - Forms

    private struct SignUp: Decodable {
        var email: String?
        var password: String?
        var phone: String?

        init(_ body: [UInt8]) throws(AuthError) { self = try Accounts.form(body) }
    }

    private struct SignIn: Decodable {
        var email: String?
        var password: String?
    }

    private struct Refresh: Decodable {
        var refresh_token: String?
    }

    private static func form<Form: Decodable>(_ body: [UInt8]) throws(AuthError) -> Form {
        guard String(validating: body, as: UTF8.self) != nil,
            let form = try? JSONDecoder().decode(Form.self, from: Data(body))
        else { throw .badJSON }
        return form
    }

    private static func checkedEmail(_ email: String?, phone: String?) throws(AuthError) -> String {
        guard let email, !email.isEmpty else {
            guard let phone, !phone.isEmpty else { throw .anonymousProviderDisabled }
            throw .validationFailed("Signing up by phone is not supported")
        }
        guard EmailAddress.isPlausible(email) else {
            throw .validationFailed("Unable to validate email address: invalid format")
        }
        return email
    }

    private static func checkedPassword(_ password: String?) throws(AuthError) -> String {
        guard let password, !password.isEmpty else {
            throw .validationFailed("Signup requires a valid password")
        }
        guard password.utf8.count <= longestPassword else {
            throw .validationFailed("Password cannot be longer than \(longestPassword) bytes")
        }
        guard password.count >= shortestPassword else { throw .weakPassword }
        return password
    }
}
