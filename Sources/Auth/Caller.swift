import FoundationEssentials

/// Who is asking, as their verified token says and nothing else does.
public struct Caller: Sendable, Equatable {
    public enum Role: String, Sendable, Codable {
        case anon, authenticated
        case serviceRole = "service_role"
    }

    public var role: Role
    /// The user's id; nil for anon and the service key, and for a personal API token that was not looked up yet.
    public var userID: String?
    public var sessionID: String?
    /// The token's payload as JSON text: what `auth.jwt()` reads.
    public var claims: String
    /// Epoch seconds after which the token is not taken any more.
    public var expiresAt: Int
    /// The id of a personal API token that was looked up.
    public var tokenID: String?
    /// The hash of a personal API token, in hexadecimal; what it stands for is found in the transaction that uses it.
    public var tokenHash: String?

    public init(role: Role, userID: String?, sessionID: String?, claims: String, expiresAt: Int) {
        self.role = role
        self.userID = userID
        self.sessionID = sessionID
        self.claims = claims
        self.expiresAt = expiresAt
    }

    /// Who shows nothing, where nothing needs to be shown.
    public static let nobody = Caller(role: .anon, userID: nil, sessionID: nil, claims: "", expiresAt: .max)

    /// The owner of a personal API token, by what `auth.token_claims` told.
    public init(ofPersonalToken claims: String) throws {
        let known = try JSONDecoder().decode(PersonalTokenClaims.self, from: Data(claims.utf8))
        self.init(role: .authenticated, userID: known.sub, sessionID: nil, claims: claims, expiresAt: .max)
        tokenID = known.token_id
    }

    private struct PersonalTokenClaims: Decodable {
        var sub: String
        var token_id: String
    }

    /// Whoever a personal API token belongs to.
    init(_ token: PersonalToken) {
        self.init(role: .authenticated, userID: nil, sessionID: nil, claims: "", expiresAt: .max)
        tokenHash = token.hash
    }
}
