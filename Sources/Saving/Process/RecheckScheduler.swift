import Jobs
import Postgres
import Settings
import Synchronization
import Threads

/// Schedules rechecks of pages at the admin's intervals. Every hour it enqueues the pages that are due, spread over the
/// hour.
final class RecheckScheduler: Sendable {
    /// The intervals; nil: never.
    struct Schedule: Sendable, Equatable {
        /// Days between two checks whether a page still exists.
        var checks: Int?
        /// Days between two refreshes of an article.
        var refreshes: Int?
    }

    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let schedule: Schedule
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// The number of links of each kind that one round enqueues. Further links wait for the next round.
    private static let maxPerRound = 5_000
    /// The number of links that one transaction enqueues.
    private static let batch = 500
    /// Milliseconds between two rounds.
    private static let pause = 3_600_000
    /// Milliseconds until the next attempt when the database was unavailable.
    private static let shortPause = 10_000

    init(
        _ schedule: Schedule, conninfo: String,
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void
    ) {
        (self.schedule, self.conninfo, self.prepare) = (schedule, conninfo, prepare)
    }

    /// Works until stopped.
    func run() {
        guard schedule != Schedule() else { return }
        while !hasToStop {
            // The runner reports an unavailable database.
            let hasSucceeded = (try? enqueueDue()) != nil
            wakeUp.wait(milliseconds: hasSucceeded ? Self.pause : Self.shortPause) { [self] in hasToStop }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }

    private func enqueueDue() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        if let days = schedule.refreshes { try enqueue("refresh", every: days, &connection) }
        if let days = schedule.checks { try enqueue("check", every: days, &connection) }
    }

    private func enqueue(_ kind: String, every days: Int, _ connection: inout Connection) throws(PostgresError) {
        var lastID: String?
        var enqueued = 0
        repeat {
            let found = try connection.query(
                """
                select last_id, changed from private.queue_rechecks(
                    \(lastID)::uuid, \(Self.batch)::int, \(kind), \(days)::int,
                    interval '1 hour' / \(Self.maxPerRound)::int)
                """)
            lastID = found.text(0, 0)
            enqueued += found.int(0, 1) ?? 0
        } while lastID != nil && enqueued < Self.maxPerRound && !hasToStop
    }
}

extension RecheckScheduler.Schedule {
    init(_ settings: Settings) {
        let (checks, refreshes) = (settings.number("CHECK_DAYS"), settings.number("REFRESH_DAYS"))
        self.init(checks: checks > 0 ? checks : nil, refreshes: refreshes > 0 ? refreshes : nil)
    }
}
