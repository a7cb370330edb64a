/// Who is asking, as their verified token says and nothing else does.
public struct Caller: Sendable, Equatable {
    public enum Role: String, Sendable, Codable {
        case anon, authenticated
        case serviceRole = "service_role"
    }

    public var role: Role
    /// The user's id; nil for anon and the service key.
    public var userID: String?
    public var sessionID: String?
    /// The token's payload as JSON text: what `auth.jwt()` reads.
    public var claims: String
    /// Epoch seconds after which the token is not taken any more.
    public var expiresAt: Int

    public init(role: Role, userID: String?, sessionID: String?, claims: String, expiresAt: Int) {
        self.role = role
        self.userID = userID
        self.sessionID = sessionID
        self.claims = claims
        self.expiresAt = expiresAt
    }
}
