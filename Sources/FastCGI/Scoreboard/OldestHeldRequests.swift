/// The oldest waiting request of each source in each worker of a pool. A worker reads it so that its requests do not
/// overtake much older ones of the same source that wait in another worker.
///
/// Each worker has room for some sources. A source beyond them is not announced, and its requests may be overtaken.
struct OldestHeldRequests: Sendable {
    /// A request may overtake one of another worker that is older by less than this. Without the tolerance, workers
    /// would take turns at every request, and a worker may need a tick of `SourceLimits` to notice its turn.
    static let tolerance = Duration.milliseconds(10)

    private let board: Scoreboard
    private let slot: ScoreboardSlot

    init(board: Scoreboard, slot: ScoreboardSlot) {
        self.board = board
        self.slot = slot
    }

    /// Announces the deadline of the oldest waiting request of a source. All workers wait equally long, so the order of
    /// deadlines is the order of arrivals.
    ///
    /// - Parameter place: the source's place among those of this worker, from 0 to `ScoreboardLayout.heldSources`.
    func announce(_ source: RequestSource, deadline: Duration, at place: Int) {
        slot.set(held: source.key, deadline: deadline.wholeMilliseconds, at: place)
    }

    /// Frees a place: no request of its source waits any more.
    func withdraw(place: Int) { slot.set(held: 0, deadline: 0, at: place) }

    /// Whether a request would overtake a much older one of its source in another worker. A worker without a free thread
    /// is left out, because it could not use its turn.
    func areOvertaken(by source: RequestSource, deadline: Duration) -> Bool {
        let latest = (deadline - Self.tolerance).wholeMilliseconds
        for index in 0..<Scoreboard.slotCount where index != slot.index {
            let other = ScoreboardSlot(board: board, index: index)
            switch other.state {
            // Slots are claimed in their order, so no later one was ever used.
            case .free: return false
            case .dead: continue
            case .starting, .ready, .draining, .recycling:
                if other.holdsRequestAndHasFreeThread, let oldest = other.deadline(ofHeld: source.key), oldest < latest
                {
                    return true
                }
            }
        }
        return false
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: UInt64 { UInt64(max(0, self / .milliseconds(1))) }
}
