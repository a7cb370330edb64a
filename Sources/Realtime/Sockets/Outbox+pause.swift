extension Outbox {
    /// A pause between two changes, in which clients read what they were sent. Without it a change of many rows fills a
    /// queue faster than any client reads.
    public struct Pause {
        fileprivate var queues: [(queue: SendQueue, bytes: Int)]

        /// Whether there is no client to wait for.
        public var isOver: Bool { queues.isEmpty }
    }

    /// Begins to send changes. Only what they add to queues makes a pause necessary, not replies.
    public func beginChanges() { growing = [:] }

    /// Whether a client should read before the next change is sent.
    public var needsPause: Bool { !growing.isEmpty }

    /// Begins a pause for the clients that were sent much, unless pauses have taken too much time: changes of other users
    /// wait, too.
    public func pause(at now: Moment) -> Pause {
        guard needsPause, countPause(at: now) else { return Pause(queues: []) }
        return Pause(queues: growing.values.map { ($0, $0.bytes) })
    }

    /// The time after which a pause is examined, in milliseconds.
    public static let pauseInterval = 10
    /// What a client reads at least in an interval to be waited for, in bytes: 1.6 MB a second.
    private static let minRead = 16_384

    /// Examines a pause after an interval. It does not wait for clients that read nothing, or enough.
    public func examine(_ pause: inout Pause, at now: Moment) {
        pause.queues = pause.queues.compactMap { queue, bytes in
            queue.isLarge && bytes - queue.bytes >= Self.minRead ? (queue, queue.bytes) : nil
        }
        if !pause.isOver, !countPause(at: now) { pause.queues = [] }
    }
}
