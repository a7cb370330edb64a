import Glibc

/// A counting semaphore: limits how many threads use a resource at the same time.
public final class CountingSemaphore: @unchecked Sendable {
    // Unchecked: any thread may use an initialised sem_t, and its memory lives as long as this object. It lives on the
    // heap because its address must not change.
    private let semaphore: UnsafeMutablePointer<sem_t>

    /// - Parameter permits: how many `acquire` calls succeed before the first one waits.
    public init(_ permits: Int) {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, UInt32(clamping: permits))
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Takes a permit and waits until one is available.
    public func acquire() {
        while sem_wait(semaphore) != 0 {}  // A signal interrupts the call: it is repeated.
    }

    /// Takes a permit if one is available. Never waits.
    public func tryAcquire() -> Bool { sem_trywait(semaphore) == 0 }

    /// Returns a permit, or adds one.
    public func release() { sem_post(semaphore) }

    /// Runs `work` while holding a permit.
    public func withPermit<Result>(_ work: () throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try work()
    }
}
