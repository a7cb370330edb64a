import Threads

/// Hashes passwords, a few at a time: each hashing takes 19 MiB, and a crowd at the door must queue for them instead
/// of taking all memory.
public final class PasswordHasher: Sendable {
    private let hash = PasswordHash()
    /// What an unknown user's password is checked against, so that it takes as long as a known one's.
    private let decoy: String
    private let permits: CountingSemaphore

    /// - Parameter places: hashings at once in this process.
    public init(places: UInt32 = 2) {
        permits = CountingSemaphore(Int(places))
        decoy = PasswordHash().encode("nobody's password") ?? ""
    }

    /// The encoded hash of a password, or nil when memory ran out.
    public func encode(_ password: String) -> String? { permits.withPermit { hash.encode(password) } }

    /// Whether a password fits; with no hash at all, false after the same work.
    public func verify(_ password: String, against encoded: String?) -> Bool {
        permits.withPermit { hash.verify(password, against: encoded ?? decoy) } && encoded != nil
    }

    /// Whether a hash should be made anew at the next chance: it was made with less work than is done today.
    public func isOutgrown(_ encoded: String) -> Bool { hash.isOutgrown(encoded) }
}
