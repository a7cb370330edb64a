internal import CFastCGI
internal import Glibc
internal import Processes

/// Limits how many requests of one source all workers of a pool answer at once. The other requests of the source are
/// held for a while without occupying a thread.
///
/// The requests of a source begin in the order of their arrival, in all workers together within a tolerance (see
/// `OldestHeldRequests`).
///
/// A thread that finishes a request wakes another thread for the held requests of its own process. Threads of other
/// processes do not, so the main thread also wakes one every `tick` while there are held requests.
final class SourceLimits: Sendable {
    /// How often the main thread looks for held requests that may begin.
    static let tick = Duration.milliseconds(1)

    private let running: RunningRequests
    private let oldest: OldestHeldRequests?
    private let held: HeldRequests
    private let slot: ScoreboardSlot?
    private let patience: Duration
    /// Readable when a thread should look for a held request that may be answered.
    let turn = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// Wakes the main thread when it should begin to wake threads.
    private let alarm: Int32

    init(options: WorkerOptions, membership: PoolMembership?, alarm: Int32) {
        slot = membership?.slot
        oldest = membership.map { OldestHeldRequests(board: $0.scoreboard, slot: $0.slot) }
        held = HeldRequests(options: options, announced: oldest)
        patience = .milliseconds(options.holdMilliseconds)
        self.alarm = alarm
        if let membership {
            running = RunningRequests(board: membership.scoreboard, slot: membership.slot)
        } else {
            let board = Scoreboard.inMemory(counters: 0)
            // The scoreboard is new, so its first slot is free.
            let own = ScoreboardSlot(board: board, index: 0)
            _ = own.claim()
            own.set(threads: options.threads)
            running = RunningRequests(board: board, slot: own)
        }
    }

    deinit { close(turn) }

    /// Whether no request is held.
    var isIdle: Bool { held.isEmpty }

    enum Admission {
        /// The thread answers the request and then calls `end`.
        case begun
        /// The request waits. It belongs to this object.
        case held
        /// Too many requests of the source wait. The thread rejects this one.
        case rejected
    }

    func admit(_ request: ReceivedRequest, of source: RequestSource, on thread: Int) -> Admission {
        let deadline = MonotonicClock.now + patience
        // A request does not overtake those of its source that wait.
        if !held.contains(source), begin(source, deadline: deadline, on: thread) { return .begun }
        let isFirst = held.isEmpty
        // Counted first: another thread could otherwise answer it before it was counted.
        slot?.requestHeld()
        guard held.add(request, of: source, until: deadline) else {
            slot?.requestReleased()
            return .rejected
        }
        if isFirst { eventfd_write(alarm, 1) }
        return .held
    }

    private func begin(_ source: RequestSource, deadline: Duration, on thread: Int) -> Bool {
        if let oldest, oldest.areOvertaken(by: source, deadline: deadline) { return false }
        return running.begin(source, on: thread)
    }

    /// Called when the thread has answered a request that was begun.
    func end(on thread: Int) {
        running.end(on: thread)
        wakeThread()
    }

    /// Returns a held request that this thread answers or rejects; nil when none has its turn.
    func next(on thread: Int) -> HeldRequests.Next? {
        var count: eventfd_t = 0
        eventfd_read(turn, &count)
        let next = held.next(at: MonotonicClock.now) { begin($0, deadline: $1, on: thread) }
        guard let next else { return nil }
        slot?.requestReleased()
        // There may be more for other threads.
        wakeThread()
        return next
    }

    /// Wakes a thread if there are held requests.
    func wakeThread() {
        if !held.isEmpty { eventfd_write(turn, 1) }
    }

    /// Rejects all requests that are still held after some time.
    func endWaits(within time: Duration) { held.endWaits(at: MonotonicClock.now + time) }
}
