import Crypto
import FoundationEssentials
import HTTP
import Postgres

/// The endpoints of the auth API, each a function from its body to its answer. Signing up, in, on and out is told in
/// `Accounts+signing.swift`, what users do with their own account in `Accounts+own.swift`, links in mails in
/// `Accounts+links.swift`, what admins do in `Accounts+admin.swift`.
public struct Accounts {
    /// Runs statements as `auth_service`, in one transaction.
    public typealias Run = ([SQL]) throws(PostgresError) -> [Rows]

    public enum Signup: String, Sendable {
        case open, invite, closed
    }

    /// What is the same for all requests.
    public struct Rules: Sendable {
        public var keys: TokenKeys
        public var hasher: PasswordHasher
        public var policy: PasswordPolicy
        /// Address people and clients use, without a slash at the end.
        public var publicURL: String
        /// Seconds an access token lives.
        public var lifetime: Int
        public var signup: Signup
        /// Whether attempts are counted and have to wait.
        public var isLimited: Bool

        public init(
            keys: TokenKeys, hasher: PasswordHasher, policy: PasswordPolicy, publicURL: String, lifetime: Int, signup: Signup,
            isLimited: Bool
        ) {
            self.keys = keys
            self.hasher = hasher
            self.policy = policy
            self.publicURL = publicURL
            self.lifetime = lifetime
            self.signup = signup
            self.isLimited = isLimited
        }
    }

    /// Longest user metadata copied into a token, in bytes: a larger one stays in the user object only, since a
    /// token too long for a request header would lock its user out.
    static let longestMetadataInToken = 4_096

    let rules: Rules
    let origin: Origin
    /// Epoch seconds.
    let now: Int
    let run: Run

    public init(_ rules: Rules, from origin: Origin, now: Int, run: @escaping Run) {
        self.rules = rules
        self.origin = origin
        self.now = now
        self.run = run
    }

    // MARK: - The session object

    /// The answer to every grant: access token, refresh token, user.
    ///
    /// - Parameter rows: one row as `auth.open_session` and `auth.refresh_session` have it, from the column `first` on.
    func session(_ rows: Rows, firstColumn first: Int = 0) throws -> Response {
        guard rows.count == 1, let session = rows.text(0, first), let generation = rows.int(0, first + 1),
            let account = rows.text(0, first + 2), let id = rows.text(0, first + 3), let email = rows.text(0, first + 4),
            let appMetadata = rows.text(0, first + 5), let userMetadata = rows.text(0, first + 6),
            let aal = rows.text(0, first + 7), let amr = rows.text(0, first + 8)
        else { throw PostgresError.broken(reason: "a grant without its row") }
        let expiresAt = now + rules.lifetime
        func bounded(_ metadata: String) -> String { metadata.utf8.count <= Self.longestMetadataInToken ? metadata : "{}" }
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

    /// Opens a session of a user; see `auth.open_session`.
    ///
    /// - Parameter method: how the user proved who they are (RFC 8176, in GoTrue's words): `password`, `otp`, `invite`.
    /// - Parameter hash: what the password was held against; no session when it is another by now.
    func opening(_ user: String, by method: String, provenBy hash: String? = nil) -> SQL {
        "select * from auth.open_session(\(user)::uuid, \(method), \(origin.userAgent), \(origin.address), \(hash))"
    }

    // MARK: - What the endpoints share

    /// The user and the session of a token. A personal API token has no session, and none is asked of it.
    func identity(_ caller: Caller) throws(AuthError) -> (user: String, session: String?) {
        guard let user = caller.userID else { throw .noAuthorization }
        if caller.tokenID != nil { return (user, nil) }
        guard let session = caller.sessionID, UUID(uuidString: session) != nil else { throw .sessionNotFound }
        return (user, session)
    }

    /// Refuses a token whose session has ended or whose user is gone.
    func checkedIdentity(_ caller: Caller) throws -> (user: String, session: String?) {
        let identity = try identity(caller)
        guard let session = identity.session else { return identity }
        let rows = try run(["select 1 from auth.sessions where id = \(session)::uuid and user_id = \(identity.user)::uuid"])
        guard rows[0].count == 1 else { throw AuthError.sessionNotFound }
        return identity
    }

    func form<Form: Decodable>(_ body: [UInt8]) throws(AuthError) -> Form {
        guard String(validating: body, as: UTF8.self) != nil,
            let form = try? JSONDecoder().decode(Form.self, from: Data(body))
        else { throw .badJSON }
        return form
    }

    /// As typed, without the blanks around it.
    func checkedEmail(_ email: String?) throws(AuthError) -> String {
        guard let email = email?.trimmingBlanks, !email.isEmpty, EmailAddress.isPlausible(email) else {
            throw .validationFailed("Unable to validate email address: invalid format")
        }
        return email
    }

    func encoded(_ password: String) throws -> String {
        guard let hash = rules.hasher.encode(password) else {
            throw PostgresError.unavailable(reason: "no memory to hash with")
        }
        return hash
    }

    /// Counts an attempt of `whom`, and refuses it while it has to wait; see `auth.count_attempt`.
    func checkAttempt(_ whom: String, free: Int, longest: String) throws {
        guard rules.isLimited else { return }
        let wait = try run([
            "select ceil(extract(epoch from auth.count_attempt(\(whom), \(free), \(longest)::interval)))::int"
        ])[0].int(0, 0)
        if let wait, wait > 0 { throw AuthError.tooManyAttempts(seconds: wait) }
    }
}

/// What the service says of itself.
extension Accounts {
    /// `GET /health`.
    public func health() -> Response {
        Response(
            status: 200, json: #"{"version":"lectern","name":"GoTrue","description":"Lectern's accounts, in GoTrue's dialect"}"#)
    }

    /// `GET /settings`: how one may sign in and up.
    public func settings() -> Response {
        Response(
            status: 200,
            json: #"{"external":{"email":true,"phone":false,"anonymous_users":false},"disable_signup":\#(rules.signup != .open),"#
                + #""mailer_autoconfirm":true,"phone_autoconfirm":false,"sms_provider":"","saml_enabled":false,"#
                + #""mfa_enabled":false}"#)
    }
}
