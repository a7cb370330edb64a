/// The two API keys that clients are configured with: long-lived tokens of a role, not of a user.
public struct APIKeys: Sendable, Equatable {
    public let anon: String
    public let service: String

    /// The time of issue in epoch seconds. It is fixed, so that the same secret always gives the same keys.
    private static let issuedAt = 1_767_225_600  // 2026-01-01
    /// Twenty years after the issue.
    private static let expiresAt = issuedAt + 20 * 365 * 86_400

    public init(_ key: JWTKey) {
        func token(_ role: Caller.Role) -> String {
            key.sign(
                payload:
                    #"{"iss":"lectern","role":"\#(role.rawValue)","iat":\#(Self.issuedAt),"exp":\#(Self.expiresAt)}"#)
        }
        anon = token(.anon)
        service = token(.serviceRole)
    }
}
