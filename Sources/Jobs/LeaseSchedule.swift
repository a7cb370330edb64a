/// When leases are renewed, and which: each until its job's deadline, or until it is known to be lost. Pure: time comes
/// in as an argument.
struct LeaseSchedule {
    typealias Instant = ContinuousClock.Instant

    /// When to renew next.
    private(set) var next: Instant
    private let lease: Duration
    private let deadline: Duration
    private var lost: Set<Job> = []

    /// - Parameters:
    ///   - lease: how long a lease holds without renewal.
    ///   - deadline: longest time a job may take; one that takes longer hangs, and is left to another runner.
    init(lease: Duration, deadline: Duration, now: Instant) {
        self.lease = lease
        self.deadline = deadline
        next = now + lease / 3
    }

    /// The jobs to renew, of those at work since these times.
    func jobs(of running: [Job: Instant], now: Instant) -> [Job] {
        running.filter { now - $0.value < deadline && !lost.contains($0.key) }.map(\.key)
    }

    /// The queue has answered: what is not held any more is another's.
    mutating func renewed(_ asked: [Job], held: Set<Job>, now: Instant) {
        lost = Set(asked).subtracting(held).union(lost)
        next = now + lease / 3
    }

    /// The queue did not answer: a failure loses no lease, so it is asked again soon, and on and on.
    mutating func failed(now: Instant) { next = now + min(.seconds(1), lease / 3) }

    /// Forgets jobs that are over.
    mutating func keep(_ running: [Job: Instant]) { lost.formIntersection(running.keys) }
}
