internal import CFastCGI
internal import Glibc
internal import Synchronization

/// Detects that every thread of a worker is busy with a long request while other workers may have free threads.
///
/// A kept connection belongs to the process that accepted it, so a request on it would wait for a thread of that
/// process even if another process is idle. The main thread checks when all threads are busy. If none of them begins
/// another request within one `tick`, ready connections are handed to other workers. Short requests never cause this.
final class Saturation: Sendable {
    /// Longer than nearly every request, and shorter than a person notices.
    static let tick = Duration.milliseconds(5)

    /// Readable when the main thread should begin to check.
    let alarm = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

    private let threads: Int
    private let busy = Atomic(0)
    private let begun = Atomic(0)
    private let isWatched = Atomic(false)

    init(threads: Int) { self.threads = threads }

    func threadIsBusy() {
        begun.wrappingAdd(1, ordering: .relaxed)
        let count = busy.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        // One alarm until the main thread stops checking, not one for every request under load.
        if count == threads, !isWatched.exchange(true, ordering: .sequentiallyConsistent) { eventfd_write(alarm, 1) }
    }

    func threadIsIdle() { busy.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    enum State: Equatable {
        /// A thread is free. Wait for the alarm.
        case free
        /// All threads are busy. Check again after a tick: a changed count then shows that a thread has begun another
        /// request.
        case busy(begun: Int)
    }

    /// Called by the main thread when it was woken, and before `check`.
    func readAlarm() {
        var count: eventfd_t = 0
        eventfd_read(alarm, &count)
    }

    /// Called by the main thread after the alarm and then after every tick.
    func check() -> State {
        if isFull { return .busy(begun: begun.load(ordering: .relaxed)) }
        isWatched.store(false, ordering: .sequentiallyConsistent)
        // The last thread may have become busy just before that without raising an alarm.
        if isFull, !isWatched.exchange(true, ordering: .sequentiallyConsistent) {
            return .busy(begun: begun.load(ordering: .relaxed))
        }
        return .free
    }

    private var isFull: Bool { busy.load(ordering: .sequentiallyConsistent) == threads }
}
