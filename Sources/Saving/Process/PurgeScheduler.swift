import Postgres
import Settings
import Synchronization
import Threads

/// Deletes links from the trash and records of merges for good, once they are older than the admin keeps them. It looks
/// every hour.
final class PurgeScheduler: Sendable {
    /// The days for which rows are kept; nil: without end.
    struct Schedule: Sendable, Equatable {
        var trash: Int?
        var merges: Int?
    }

    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let schedule: Schedule
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// The number of rows that one transaction deletes. Their owners wait for it with their writes.
    private static let batch = 100
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
            let hasSucceeded = (try? purge()) != nil
            wakeUp.wait(milliseconds: hasSucceeded ? Self.pause : Self.shortPause) { [self] in hasToStop }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }

    /// Deletes everything that is due.
    func purge() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        if let days = schedule.trash { try purge("public.trash", olderThan: days, &connection) }
        if let days = schedule.merges { try purge("public.link_merges", olderThan: days, &connection) }
    }

    private func purge(
        _ table: String, olderThan days: Int, _ connection: inout Connection
    ) throws(PostgresError) {
        var deleted = 0
        repeat {
            let rows = try connection.query(
                "select private.purge_expired(\(table), \(days)::int, \(Self.batch)::int)")
            deleted = rows.int(0, 0) ?? 0
        } while deleted > 0 && !hasToStop
    }
}

extension PurgeScheduler.Schedule {
    init(_ settings: Settings) {
        let (trash, merges) = (settings.number("TRASH_DAYS"), settings.number("MERGE_DAYS"))
        self.init(trash: trash > 0 ? trash : nil, merges: merges > 0 ? merges : nil)
    }
}
