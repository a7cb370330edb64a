import Synchronization

/// The users of the personal API tokens that this process has seen, for limits on load only. A token belongs to one
/// user for ever, so an entry is never wrong; whether the token is still valid is looked up for every request.
final class TokenOwners: Sendable {
    private let owners = Mutex<[String: String]>([:])
    /// An entry takes some 200 bytes. A full table is emptied, which costs one query per token.
    private static let capacity = 10_000

    /// The user of a token; nil if no request with it has been answered yet.
    ///
    /// - Parameter hash: SHA-256 of the token in hexadecimal.
    func owner(of hash: String) -> String? { owners.withLock { $0[hash] } }

    func add(_ user: String, of hash: String) {
        owners.withLock { owners in
            if owners.count >= Self.capacity { owners.removeAll(keepingCapacity: true) }
            owners[hash] = user
        }
    }
}
