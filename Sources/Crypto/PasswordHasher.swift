import Threads

/// Hashes passwords, only a few at once: each hash takes 19 MiB, and bursts of sign-ins must not exhaust memory.
public final class PasswordHasher: Sendable {
    private let hash = Argon2id()
    /// The hash that the password of an unknown user is compared with, so that it takes as long as for a known user.
    private let dummyHash: String
    private let semaphore: CountingSemaphore

    /// - Parameter limit: hashes computed at once in this process.
    public init(limit: UInt32 = 2) {
        semaphore = CountingSemaphore(Int(limit))
        dummyHash = hash.ofNoPassword
    }

    /// The encoded hash of a password; nil if there is not enough memory.
    public func encode(_ password: String) -> String? { semaphore.withPermit { hash.encode(password) } }

    /// Whether a password matches a hash. Without a hash it returns false after the same work.
    public func verify(_ password: String, against encoded: String?) -> Bool {
        semaphore.withPermit { hash.verify(password, against: encoded ?? dummyHash) } && encoded != nil
    }

    /// Whether a hash has weaker parameters than new hashes, and should be replaced.
    public func needsRehash(_ encoded: String) -> Bool { hash.needsRehash(encoded) }
}
