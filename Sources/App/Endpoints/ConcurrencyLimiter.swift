import Synchronization

/// Limits how many threads of a process do something at once. A thread that exceeds the limit is refused, not blocked.
final class ConcurrencyLimiter: Sendable {
    private let free: Mutex<Int>

    /// - Parameter limit: the most threads at once.
    init(limit: Int) { free = Mutex(limit) }

    /// - Returns: whether the caller may go on; it then calls `release` at its end.
    func tryAcquire() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func release() { free.withLock { $0 += 1 } }
}
