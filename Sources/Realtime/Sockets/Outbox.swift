/// What waits to be sent to all sockets.
public final class Outbox {
    let limits: Limits
    /// The sum of all queues.
    public internal(set) var bytes = 0
    /// Queues with messages that were not given to the kernel yet.
    var unflushed: [SendQueue] = []
    /// Queues with messages that the kernel did not take.
    var waiting: [ObjectIdentifier: SendQueue] = [:]
    /// Large queues that got messages since the last pause.
    var growing: [ObjectIdentifier: SendQueue] = [:]
    private var pauses: RateCount

    public init(_ limits: Limits, at now: Moment) {
        self.limits = limits
        pauses = RateCount(limits.pauses, at: now)
    }

    /// Gives the messages to the kernel, those of one socket in one call.
    public func flush() {
        let queues = unflushed
        unflushed.removeAll(keepingCapacity: true)
        for queue in queues { queue.flush() }
    }

    /// Counts an interval of a pause. Returns false if pauses have taken too much time.
    func countPause(at now: Moment) -> Bool { pauses.admits(1, limits.pauses, at: now) }

    /// Drops the largest queues if the sum would exceed the limit: those of the clients that read least.
    func makeRoom(for added: Int) {
        guard bytes + added > limits.queuedBytesInAll else { return }
        flush()
        guard bytes + added > limits.queuedBytesInAll else { return }
        // More than needed, so that the next message does not sort them again.
        let target = limits.queuedBytesInAll / 4 * 3
        for queue in waiting.values.sorted(by: { $0.bytes > $1.bytes }) where bytes + added > target { queue.drop() }
    }
}
