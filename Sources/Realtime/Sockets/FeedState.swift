/// Whether changes are wanted, and whether they arrive.
struct FeedState {
    /// The number of channels that need the feed.
    private(set) var watchers = 0
    /// Counts how often changes became wanted. A feed that was started for an earlier time does not count as live: it
    /// may have stopped reading in between.
    private var generation = 0
    private var liveGeneration: Int?

    /// Whether every change that is committed from now on will arrive.
    var isLive: Bool { liveGeneration == generation }
    /// The generation that is wanted; nil if no channel needs the feed.
    var wanted: Int? { watchers > 0 ? generation : nil }

    /// Notes that the number of channels that need the feed has changed.
    ///
    /// - Returns: whether `wanted` has changed.
    mutating func changeWatchers(by difference: Int) -> Bool {
        let before = watchers
        watchers += difference
        guard (before == 0) != (watchers == 0) else { return false }
        if before == 0 { generation += 1 }
        return true
    }

    mutating func becameLive(_ generation: Int) { liveGeneration = generation }

    mutating func wasInterrupted() { liveGeneration = nil }
}
