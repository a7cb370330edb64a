import Postgres
import Settings

/// Enqueues the pages that are due for a recheck at the admin's intervals, spread over the hour until the next round.
struct RecheckScheduler: Sendable, Equatable {
    /// Days between two checks whether a page still exists; nil: never.
    var checks: Int?
    /// Days between two refreshes of an article; nil: never.
    var refreshes: Int?

    /// The number of links of each kind that one round enqueues. Further links wait for the next round.
    private static let maxPerRound = 5_000
    /// The number of links that one transaction enqueues.
    private static let batch = 500

    /// One round, run every hour; nil if no page is ever checked again.
    var round: RepeatedTask.Round? {
        guard self != RecheckScheduler() else { return nil }
        return { (connection, hasToStop) throws(PostgresError) in try enqueueDue(&connection, hasToStop) }
    }

    private func enqueueDue(_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) {
        for (kind, days) in [("refresh", refreshes), ("check", checks)] {
            guard let days else { continue }
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
            } while lastID != nil && enqueued < Self.maxPerRound && !hasToStop()
        }
    }
}

extension RecheckScheduler {
    init(_ settings: Settings) {
        let (checks, refreshes) = (settings.number("CHECK_DAYS"), settings.number("REFRESH_DAYS"))
        self.init(checks: checks > 0 ? checks : nil, refreshes: refreshes > 0 ? refreshes : nil)
    }
}
