import FoundationEssentials

/// The sender of a request, as identified by a verified token alone.
public struct Caller: Sendable, Equatable {
    public enum Role: String, Sendable, Codable {
        case anon, authenticated
        case serviceRole = "service_role"
    }

    public var role: Role
    /// The user's id; nil for the anon key, the service key, and a personal API token that was not looked up yet.
    public var userID: String?
    public var sessionID: String?
    /// The payload of the token as JSON text, which `auth.jwt()` returns.
    public var claims: String
    /// The expiry of the token in epoch seconds.
    public var expiresAt: Int
    /// Whether a bearer token identifies the caller, and not the API key alone.
    public var isBearer = false
    /// The scope of a personal API token after its look-up.
    public var scope: PersonalToken.Scope?
    /// The hash of a personal API token before its look-up, in hexadecimal.
    public var tokenHash: String?
    /// The user name of HTTP Basic credentials: the look-up refuses the token of any other account.
    public var presentedEmail: String?

    public init(role: Role, userID: String?, sessionID: String?, claims: String, expiresAt: Int) {
        self.role = role
        self.userID = userID
        self.sessionID = sessionID
        self.claims = claims
        self.expiresAt = expiresAt
    }

    /// The caller of routes that require no credentials.
    public static let nobody = Caller(role: .anon, userID: nil, sessionID: nil, claims: "", expiresAt: .max)

    /// The owner of a personal API token.
    ///
    /// - Parameters:
    ///   - claims: the result of `auth.auth_claims`.
    ///   - email: the address that must be the owner's, in any case; nil: no address was sent with the token.
    /// - Throws: `TokenError.unknownPersonalToken` for the address of another account.
    public init(ofPersonalToken claims: String, presentedBy email: String? = nil) throws {
        let decoded = try JSONDecoder().decode(PersonalTokenClaims.self, from: Data(claims.utf8))
        if let email, email.lowercased() != decoded.email?.lowercased() {
            throw TokenError.unknownPersonalToken("The token does not belong to the account with this e-mail address")
        }
        self.init(role: .authenticated, userID: decoded.sub, sessionID: nil, claims: claims, expiresAt: .max)
        isBearer = true
        scope = decoded.scope
    }

    private struct PersonalTokenClaims: Decodable {
        var sub: String
        var email: String?
        var scope: PersonalToken.Scope
    }

    /// The owner of a personal API token, not looked up yet.
    init(_ token: PersonalToken, presentedBy email: String? = nil) {
        self.init(role: .authenticated, userID: nil, sessionID: nil, claims: "", expiresAt: .max)
        isBearer = true
        tokenHash = token.hash
        presentedEmail = email
    }
}
