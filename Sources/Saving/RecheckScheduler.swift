import Postgres
import Settings
import Synchronization
import Threads

/// Has pages looked at again on the admin's schedule: every hour it puts those into the queue that are due, each kind spread over
/// the hour.
final class RecheckScheduler: Sendable {
    /// How often; nil: never.
    struct Schedule: Sendable, Equatable {
        /// Days between two looks whether a page is still there.
        var checks: Int?
        /// Days between two readings of what stands there.
        var refreshes: Int?
    }

    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let schedule: Schedule
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// Links of each kind that one round puts into the queue; the others wait for the next.
    private static let most = 5_000
    /// Links that one transaction looks for.
    private static let batch = 500
    /// In milliseconds.
    private static let pause = 3_600_000
    /// How soon a database that was away is asked again.
    private static let shortPause = 10_000

    init(_ schedule: Schedule, conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void) {
        (self.schedule, self.conninfo, self.prepare) = (schedule, conninfo, prepare)
    }

    /// Works until stopped.
    func run() {
        guard schedule != Schedule() else { return }
        while !hasToStop {
            // The runner reports a database that is away.
            let hasDone = (try? round()) != nil
            wakeUp.wait(milliseconds: hasDone ? Self.pause : Self.shortPause) { [self] in hasToStop }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }

    private func round() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        if let days = schedule.refreshes { try queue("refresh", every: days, &connection) }
        if let days = schedule.checks { try queue("check", every: days, &connection) }
    }

    private func queue(_ kind: String, every days: Int, _ connection: inout Connection) throws(PostgresError) {
        var place: String?
        var queued = 0
        repeat {
            let found = try connection.query(
                """
                select last_id, changed from private.queue_rechecks(
                    \(place)::uuid, \(Self.batch)::int, \(kind), \(days)::int, interval '1 hour' / \(Self.most)::int)
                """)
            place = found.text(0, 0)
            queued += found.int(0, 1) ?? 0
        } while place != nil && queued < Self.most && !hasToStop
    }
}

extension RecheckScheduler.Schedule {
    init(_ settings: Settings) {
        let (checks, refreshes) = (settings.number("CHECK_DAYS"), settings.number("REFRESH_DAYS"))
        self.init(checks: checks > 0 ? checks : nil, refreshes: refreshes > 0 ? refreshes : nil)
    }
}
