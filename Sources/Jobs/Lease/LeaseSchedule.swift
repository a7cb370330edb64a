/// Decides when leases are renewed, and which ones: each until its job's deadline, or until it is known to be lost.
/// Pure: time is an argument.
struct LeaseSchedule {
    typealias Instant = ContinuousClock.Instant

    /// When to renew next.
    private(set) var next: Instant
    private let lease: Duration
    private let deadline: Duration
    private var lost: Set<Job> = []

    /// - Parameters:
    ///   - lease: how long a lease lasts without renewal.
    ///   - deadline: the longest time a job may take. A job that takes longer hangs, and is left to another runner.
    init(lease: Duration, deadline: Duration, now: Instant) {
        self.lease = lease
        self.deadline = deadline
        next = now + lease / 3
    }

    /// The jobs to renew.
    ///
    /// - Parameter running: the running jobs and their start times.
    func jobs(of running: [Job: Instant], now: Instant) -> [Job] {
        running.filter { now - $0.value < deadline && !lost.contains($0.key) }.map(\.key)
    }

    /// Records an answer of the queue: a job that is not held any more belongs to another runner.
    mutating func renewed(_ asked: [Job], held: Set<Job>, now: Instant) {
        lost = Set(asked).subtracting(held).union(lost)
        next = now + lease / 3
    }

    /// Records that the queue did not answer. A failure loses no lease, so the renewal is repeated soon, as often as
    /// necessary.
    mutating func failed(now: Instant) { next = now + min(.seconds(1), lease / 3) }

    /// Forgets jobs that have ended.
    mutating func forgetAll(except running: [Job: Instant]) { lost.formIntersection(running.keys) }
}
