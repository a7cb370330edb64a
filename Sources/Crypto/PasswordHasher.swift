import Glibc

/// Hashes passwords, a few at a time: each hashing takes 19 MiB, and a crowd at the door must queue for them instead
/// of taking all memory.
public final class PasswordHasher: Sendable {
    private let hash = PasswordHash()
    /// What an unknown user's password is checked against, so that it takes as long as a known one's.
    private let decoy: String
    private let places: Places

    /// - Parameter places: hashings at once in this process.
    public init(places: UInt32 = 2) {
        self.places = Places(places)
        decoy = PasswordHash().encode("nobody's password") ?? ""
    }

    /// The encoded hash of a password, or nil when memory ran out.
    public func encode(_ password: String) -> String? { places.use { hash.encode(password) } }

    /// Whether a password fits; with no hash at all, false after the same work.
    public func verify(_ password: String, against encoded: String?) -> Bool {
        places.use { hash.verify(password, against: encoded ?? decoy) } && encoded != nil
    }

    /// Whether a hash should be made anew at the next chance: it was made with less work than is done today.
    public func isOutgrown(_ encoded: String) -> Bool { hash.isOutgrown(encoded) }

    /// A counting semaphore.
    private final class Places: @unchecked Sendable {
        // Unchecked: a sem_t may be used by any thread once initialised, and its memory lives as long as this object.
        private let semaphore: UnsafeMutablePointer<sem_t>

        init(_ count: UInt32) {
            semaphore = .allocate(capacity: 1)
            sem_init(semaphore, 0, count)
        }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        func use<Result>(_ work: () -> Result) -> Result {
            while sem_wait(semaphore) != 0 {}  // interrupted by a signal: wait on
            defer { sem_post(semaphore) }
            return work()
        }
    }
}
