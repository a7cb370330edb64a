internal import CFastCGI
internal import Glibc
internal import Synchronization

/// Notices when every thread of a worker sits in a slow request, while other workers may have free ones.
///
/// A kept connection belongs to the process that accepted it, so a request on it would wait for a thread of that
/// process although another process is idle. The main thread looks when all threads are busy, and when for one `tick` none
/// of them has begun another request, what is ready shall go elsewhere. Requests that pass quickly never get there.
final class Saturation: Sendable {
    /// Longer than nearly every request, shorter than a person notices.
    static let tick = Duration.milliseconds(5)

    /// Readable when the main thread should begin to look.
    let alarm = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

    private let threads: Int
    private let busy = Atomic(0)
    private let begun = Atomic(0)
    private let isWatched = Atomic(false)

    init(threads: Int) { self.threads = threads }

    func threadIsBusy() {
        begun.wrappingAdd(1, ordering: .relaxed)
        let count = busy.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        // One alarm until the main thread has looked away again, not one for every request under load.
        if count == threads, !isWatched.exchange(true, ordering: .sequentiallyConsistent) { eventfd_write(alarm, 1) }
    }

    func threadIsIdle() { busy.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    enum Look: Equatable {
        /// A thread is free; wait for the alarm.
        case free
        /// All are busy; look again after a tick. The count tells then whether any has moved on.
        case busy(begun: Int)
    }

    /// For the main thread, after the alarm and then after every tick.
    func look() -> Look {
        var count: eventfd_t = 0
        eventfd_read(alarm, &count)
        if isFull { return .busy(begun: begun.load(ordering: .relaxed)) }
        isWatched.store(false, ordering: .sequentiallyConsistent)
        // The last thread may have become busy just before that, and have raised no alarm.
        if isFull, !isWatched.exchange(true, ordering: .sequentiallyConsistent) {
            return .busy(begun: begun.load(ordering: .relaxed))
        }
        return .free
    }

    private var isFull: Bool { busy.load(ordering: .sequentiallyConsistent) == threads }
}
