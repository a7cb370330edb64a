/// The sources of the requests that the workers of a pool are answering.
///
/// Each thread has a word in shared memory, which holds the key of the source it works for. The requests of a source
/// are counted by reading the words of all workers. A shared counter would be cheaper to read, but a killed process
/// would leave it too high; the words of a process cease to count when its supervisor marks its slot as dead.
struct RunningRequests: Sendable {
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
    func begin(_ source: RequestSource, on thread: Int) -> Bool {
        guard board.running(source.key) < source.limit else { return false }
        // Written before the second count: of two threads that begin at the same moment, at least one sees the other.
        // Both may withdraw then, and the requests wait for the next turn.
        slot.set(running: source.key, on: thread)
        if board.running(source.key) <= source.limit { return true }
        end(on: thread)
        return false
    }

    /// Records that the thread has answered its request.
    func end(on thread: Int) { slot.set(running: 0, on: thread) }
}

extension Scoreboard {
    /// The number of threads of all living workers that work for a source.
    fileprivate func running(_ key: UInt64) -> Int {
        var count = 0
        for index in 0..<Self.slotCount {
            let slot = ScoreboardSlot(board: self, index: index)
            switch slot.state {
            // Slots are claimed in their order, so no later one was ever used.
            case .free: return count
            case .dead: continue
            case .starting, .ready, .draining, .recycling: count += slot.threadsRunning(key)
            }
        }
        return count
    }
}
