import Postgres
import Settings

/// Deletes links from the trash and records of merges for good, once they are older than the admin keeps them.
struct PurgeScheduler: Sendable, Equatable {
    /// The days for which links stay in the trash; nil: without end.
    var trash: Int?
    /// The days for which merges can be undone; nil: without end.
    var merges: Int?

    /// The number of rows that one transaction deletes. Their owners wait for it with their writes.
    private static let batch = 100

    /// What is to be done every hour; nil if nothing is ever deleted.
    var round: HourlyTask.Round? {
        guard self != PurgeScheduler() else { return nil }
        return { (connection, hasToStop) throws(PostgresError) in try purge(&connection, hasToStop) }
    }

    /// Deletes everything that is due.
    func purge(_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) {
        for (table, days) in [("public.trash", trash), ("public.link_merges", merges)] {
            guard let days else { continue }
            var deleted = 0
            repeat {
                let rows = try connection.query(
                    "select private.purge_expired(\(table), \(days)::int, \(Self.batch)::int)")
                deleted = rows.int(0, 0) ?? 0
            } while deleted > 0 && !hasToStop()
        }
    }
}

extension PurgeScheduler {
    init(_ settings: Settings) {
        let (trash, merges) = (settings.number("TRASH_DAYS"), settings.number("MERGE_DAYS"))
        self.init(trash: trash > 0 ? trash : nil, merges: merges > 0 ? merges : nil)
    }
}
