internal import Processes

/// The sources of the requests that the workers of a pool are answering.
///
/// Each thread has two words in shared memory, which hold the key of the source it works for and the start of its
/// request. The requests of a source are counted by reading the words of all workers. A shared counter would be cheaper
/// to read, but a killed process would leave it too high; the words of a process cease to count when its supervisor
/// marks its slot as dead.
///
/// A source whose slow requests run at the same time gets its smaller limit for a while: a slow request usually keeps a
/// processor busy, and those of one source should leave processors to the others.
struct RunningRequests: Sendable {
    /// A request that takes longer is slow.
    static let slow = Duration.milliseconds(250)
    /// How long the smaller limit of a source applies after a slow request.
    static let penalty = Duration.seconds(10)

    private let board: Scoreboard
    private let slot: ScoreboardSlot

    init(board: Scoreboard, slot: ScoreboardSlot) {
        self.board = board
        self.slot = slot
    }

    /// Records that a thread of this process begins a request. Returns false when the source has as many running
    /// requests as its limit.
    ///
    /// - Parameter thread: the number of the thread in its process, from 0.
    func begin(_ source: RequestSource, on thread: Int, at now: Duration = MonotonicClock.now) -> Bool {
        let limit = board.slowSources.contains(source.key, at: now) ? source.slowLimit : source.limit
        guard board.running(source.key) < limit else { return false }
        // Written before the second count: of two threads that begin at the same moment, at least one sees the other.
        // Both may withdraw then, and the requests wait for the next turn.
        slot.set(running: source.key, since: now, on: thread)
        if board.running(source.key) <= limit { return true }
        slot.endRunning(on: thread)
        return false
    }

    /// Records that the thread has answered its request.
    func end(on thread: Int, at now: Duration = MonotonicClock.now) {
        let (key, start) = slot.running(on: thread)
        slot.endRunning(on: thread)
        guard now - start >= Self.slow else { return }
        let slowSources = board.slowSources
        if slowSources.contains(key, at: now) || board.running(key, since: now - Self.slow) > 0 {
            slowSources.insert(key, until: now + Self.penalty)
        }
    }
}

extension Scoreboard {
    /// The number of threads of all living workers that work for a source.
    ///
    /// - Parameter latest: counts only requests that began at this time of the monotonic clock or before it.
    fileprivate func running(_ key: UInt64, since latest: Duration? = nil) -> Int {
        var count = 0
        for index in 0..<Self.slotCount {
            let slot = ScoreboardSlot(board: self, index: index)
            switch slot.state {
            // Slots are claimed in their order, so no later one was ever used.
            case .free: return count
            case .dead: continue
            case .starting, .ready, .draining, .recycling: count += slot.threadsRunning(key, since: latest)
            }
        }
        return count
    }
}
