import Jobs
import Synchronization

/// So many at a time.
final class ConcurrencyLimit: Sendable {
    private let free: Mutex<Int>
    private let wakeUp = WakeUp()

    init(_ count: Int) { free = Mutex(max(1, count)) }

    func enter() {
        while !take() { wakeUp.wait(milliseconds: 1_000) { [self] in free.withLock { $0 > 0 } } }
    }

    func leave() {
        free.withLock { $0 += 1 }
        wakeUp.all()
    }

    private func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }
}
