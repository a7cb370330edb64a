import Auth
import FoundationEssentials
import Realtime

extension Subscriber {
    /// Whose changes a verified token shows: those of its user, and all of them to the service key, as over REST.
    init(_ caller: Caller) {
        let rows: Rows =
            switch caller.role {
            case .anon: .none
            case .authenticated: caller.userID.flatMap(UUID.init(uuidString:)).map { .own($0) } ?? .none
            case .serviceRole: .all
            }
        self.init(rows: rows, expiresAt: caller.expiresAt)
    }
}

extension JWTKeySet {
    /// The subscriber that a token identifies.
    func subscriber(_ token: String, now: Int) throws(TokenRefusal) -> Subscriber {
        do {
            return Subscriber(try verify(token, now: now))
        } catch {
            throw error == .expired ? .expired(error.message) : .invalid(error.message)
        }
    }
}
