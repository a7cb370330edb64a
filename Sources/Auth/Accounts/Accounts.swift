import Crypto
import FoundationEssentials
import HTTP
import JSON
import Postgres

/// The endpoints of the auth API, each a function from a request body to a response.
///
/// `Accounts+sessions.swift`: sign-up, sign-in, refresh and sign-out. `Accounts+own.swift`: a user's own account.
/// `Accounts+email.swift`: a new address. `Accounts+tokens.swift`: personal API tokens.
/// `Accounts+oneTimeLinks.swift`: links in mails. `Accounts+pairings.swift`: pairing of devices.
/// `Accounts+exports.swift`: exports. `Accounts+copies.swift`: copies of pages. `Accounts+signedURLs.swift`: the URLs of
/// files with a signature. `Accounts+admin.swift`: other users' accounts.
public struct Accounts {
    /// Who may sign up.
    public enum Signup: String, Sendable {
        /// Anybody while there is no account; that account becomes an admin. Then as `invite`.
        case first
        case open, invite, closed
    }

    /// The configuration that all requests share.
    public struct Rules: Sendable {
        public var keys: JWTKeySet
        public var hasher: PasswordHasher
        public var policy: PasswordPolicy
        /// The URL of the service for users and clients, without a trailing slash.
        public var publicURL: String
        /// The lifetime of an access token in seconds.
        public var lifetime: Int
        public var signup: Signup
        /// Whether mail is set up, so that a new address has to be confirmed before it counts.
        public var sendsMail: Bool
        /// Whether attempts are counted and delayed.
        public var isLimited: Bool

        public init(
            keys: JWTKeySet, hasher: PasswordHasher, policy: PasswordPolicy, publicURL: String, lifetime: Int,
            signup: Signup, sendsMail: Bool = false, isLimited: Bool
        ) {
            self.keys = keys
            self.hasher = hasher
            self.policy = policy
            self.publicURL = publicURL
            self.lifetime = lifetime
            self.signup = signup
            self.sendsMail = sendsMail
            self.isLimited = isLimited
        }
    }

    /// The longest user metadata that is copied into a token, in bytes. Larger metadata is only in the user object: a
    /// token that does not fit into a request header would lock the user out.
    static let maxMetadataInToken = 4_096

    /// The longest body whose numbers are written without exponents, in bytes: twice the longest metadata.
    private static let maxWrittenBody = 2 << 20

    let rules: Rules
    let origin: RequestOrigin
    /// Epoch seconds.
    let now: Int
    private let transactions: any TransactionRunner

    /// - Parameters:
    ///   - now: epoch seconds.
    ///   - transactions: run with the privileges of `auth_service`.
    public init(_ rules: Rules, from origin: RequestOrigin, now: Int, transactions: some TransactionRunner) {
        self.rules = rules
        self.origin = origin
        self.now = now
        self.transactions = transactions
    }

    /// Runs statements as one transaction.
    func run(_ batch: [SQL]) throws(PostgresError) -> [Rows] { try transactions.run(batch) }

    // MARK: - The session object

    /// The response to every grant: access token, refresh token, user.
    ///
    /// - Parameter rows: one row with the columns of `auth.open_session`, starting at the column `first`.
    func session(_ rows: Rows, firstColumn first: Int = 0) throws -> Response {
        guard rows.count == 1, let session = rows.text(0, first), let generation = rows.int(0, first + 1),
            let account = rows.text(0, first + 2), let id = rows.text(0, first + 3),
            let email = rows.text(0, first + 4),
            let appMetadata = rows.text(0, first + 5), let userMetadata = rows.text(0, first + 6),
            let aal = rows.text(0, first + 7), let amr = rows.text(0, first + 8)
        else { throw PostgresError.broken(reason: "the statement of a grant returned no row") }
        let expiresAt = now + rules.lifetime
        func bounded(_ metadata: String) -> String {
            metadata.utf8.count <= Self.maxMetadataInToken ? metadata : "{}"
        }
        let payload = JSONText.object([
            ("iss", JSONText.string(rules.publicURL + "/auth/v1")), ("sub", JSONText.string(id)),
            ("aud", JSONText.string("authenticated")), ("exp", String(expiresAt)), ("iat", String(now)),
            ("email", JSONText.string(email)), ("phone", JSONText.string("")), ("app_metadata", bounded(appMetadata)),
            ("user_metadata", bounded(userMetadata)), ("role", JSONText.string("authenticated")),
            ("aal", JSONText.string(aal)), ("amr", amr), ("session_id", JSONText.string(session)),
            ("is_anonymous", "false"),
        ])
        let refreshToken = RefreshToken(session: session, generation: generation).text(rules.keys.current)
        return Response(
            status: 200,
            json: JSONText.object([
                ("access_token", JSONText.string(rules.keys.sign(payload: payload))),
                ("token_type", JSONText.string("bearer")), ("expires_in", String(rules.lifetime)),
                ("expires_at", String(expiresAt)), ("refresh_token", JSONText.string(refreshToken)), ("user", account),
            ]))
    }

    /// The statement that opens a session; see `auth.open_session`.
    ///
    /// - Parameters:
    ///   - method: how the user authenticated (RFC 8176, in GoTrue's terms): `password`, `otp`, `invite`.
    ///   - hash: the hash that the password was compared with. If the user has another hash now, no session is opened.
    func sessionOpening(_ user: String, by method: String, verifiedHash hash: String? = nil) -> SQL {
        "select * from auth.open_session(\(user)::uuid, \(method), \(origin.userAgent), \(origin.address), \(hash))"
    }

    // MARK: - Shared by the endpoints

    /// The user and the session of a caller. A personal API token has no session.
    func identity(_ caller: Caller) throws(AuthError) -> (user: String, session: String?) {
        guard let user = caller.userID else { throw caller.isBearer ? .missingSubject : .noAuthorization }
        if caller.scope != nil { return (user, nil) }
        guard let session = caller.sessionID, UUID(uuidString: session) != nil else { throw .sessionNotFound }
        return (user, session)
    }

    /// The user and the session of a caller.
    ///
    /// - Throws: `sessionNotFound` if the session has ended or the user was deleted.
    func checkedIdentity(_ caller: Caller) throws -> (user: String, session: String?) {
        let identity = try identity(caller)
        guard let session = identity.session else { return identity }
        let rows = try run([
            "select 1 from auth.sessions where id = \(session)::uuid and user_id = \(identity.user)::uuid"
        ])
        guard rows[0].count == 1 else { throw AuthError.sessionNotFound }
        return identity
    }

    /// The decoded body of a request. A body that is short only because of the exponents of its numbers is refused before
    /// the database writes them out.
    func form<Form: Decodable>(_ body: [UInt8]) throws(AuthError) -> Form {
        guard String(validating: body, as: UTF8.self) != nil,
            let form = try? JSONDecoder().decode(Form.self, from: Data(body))
        else { throw .badJSON }
        guard JSONText.lengthWithoutExponents(of: body) <= Self.maxWrittenBody else {
            throw .validationFailed("The numbers of the body are too large")
        }
        return form
    }

    /// The address as typed, without surrounding blanks.
    func checkedEmail(_ email: String?) throws(AuthError) -> String {
        guard let email = email?.trimmingBlanks, !email.isEmpty, EmailAddress.isPlausible(email) else {
            throw .validationFailed("Unable to validate email address: invalid format")
        }
        return email
    }

    /// The encoded hash of a password.
    func encoded(_ password: String) throws -> String {
        guard let hash = rules.hasher.encode(password) else {
            throw PostgresError.unavailable(reason: "not enough memory to hash a password")
        }
        return hash
    }

    /// Counts an attempt, and throws `tooManyAttempts` while further attempts have to wait; see `auth.count_attempt`.
    ///
    /// - Parameters:
    ///   - subject: whose attempts are counted together.
    ///   - free: attempts before the first delay.
    ///   - minDelay: the first delay, as a PostgreSQL interval. Each delay is twice as long as the one before.
    ///   - maxDelay: the longest delay.
    func checkAttempt(_ subject: String, free: Int, minDelay: String = "1 second", maxDelay: String) throws {
        guard rules.isLimited else { return }
        let wait = try run([
            """
            select ceil(extract(epoch from
                auth.count_attempt(\(subject), \(free), \(maxDelay)::interval, \(minDelay)::interval)))::int
            """
        ])[0].int(0, 0)
        if let wait, wait > 0 { throw AuthError.tooManyAttempts(seconds: wait) }
    }
}

/// Information about the service.
extension Accounts {
    /// `GET /health`.
    public func health() -> Response {
        Response(
            status: 200,
            json: #"{"version":"lectern","name":"GoTrue","description":"Lectern's accounts, in GoTrue's dialect"}"#)
    }

    /// `GET /settings`: the ways to sign in and up.
    public func settings() throws -> Response {
        let mode = try signupNow()
        return Response(
            status: 200,
            json:
                #"{"external":{"email":true,"phone":false,"anonymous_users":false},"#
                + #""disable_signup":\#(mode == .refused),"first_account":\#(mode == .firstAccount),"#
                + #""mailer_autoconfirm":true,"phone_autoconfirm":false,"sms_provider":"","saml_enabled":false,"#
                + #""mfa_enabled":false}"#)
    }
}
