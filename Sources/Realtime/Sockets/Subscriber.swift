import FoundationEssentials

/// Whose changes a token lets a channel see, and until when.
public struct Subscriber: Sendable, Equatable {
    public enum Rows: Sendable, Hashable {
        /// No rows: the token is the anon key.
        case none
        /// The rows of one user.
        case own(UUID)
        /// Everybody's rows: the service key, which bypasses row-level security.
        case all
    }

    public var rows: Rows
    /// The expiry of the token in epoch seconds.
    public var expiresAt: Int

    public init(rows: Rows, expiresAt: Int) {
        self.rows = rows
        self.expiresAt = expiresAt
    }

    func isExpired(at now: Moment) -> Bool { expiresAt <= now.epoch }
}

/// Why a token was refused.
public enum TokenRefusal: Error, Sendable, Equatable {
    /// It was valid once.
    case expired(String)
    case invalid(String)

    var reason: String {
        switch self {
        case .expired(let reason), .invalid(let reason): reason
        }
    }
}

/// Verifies a token at a time in epoch seconds.
public typealias TokenVerifier = @Sendable (_ token: String, _ now: Int) throws(TokenRefusal) -> Subscriber
