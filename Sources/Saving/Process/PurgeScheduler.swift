import Postgres
import Settings

/// Deletes for good: links in the trash and records of merges after the days that the settings name, changes that can
/// no longer be undone, former articles that nobody has restored, the names of files whose links are gone, old
/// deliveries of webhooks, and old lines of the log of changes.
struct PurgeScheduler: Sendable, Equatable {
    /// The days for which links stay in the trash; nil: forever.
    var trash: Int?
    /// The days for which merges can be undone; nil: forever.
    var merges: Int?

    /// The days for which `rpc/undo_change` can undo a change; see sql/schema/link_changes.sql.
    private static let changes: Int? = 1

    /// The number of links, merges or changes that one transaction deletes. Writes of their owner wait for it.
    private static let batch = 100
    /// The number of lines that one transaction moves or deletes. Nobody waits for them.
    private static let lines = 1_000

    /// One round, run every hour.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in try purge(&connection, hasToStop) }
    }

    /// Deletes everything that is due.
    func purge(_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) {
        for (table, days) in [
            ("public.trash", trash), ("public.link_merges", merges), ("private.link_changes", Self.changes),
        ] {
            guard let days else { continue }
            try Self.repeatUntilDone(
                "select private.purge_expired(\(table), \(days)::int, \(Self.batch)::int)", &connection, hasToStop)
        }
        try Self.repeatUntilDone(
            "select private.delete_former_articles(\(Self.batch)::int)", &connection, hasToStop)
        try Self.repeatUntilDone(
            "select private.delete_unused_file_names(\(Self.lines)::int)", &connection, hasToStop)
        try Self.repeatUntilDone(
            "select private.delete_old_webhook_deliveries(\(Self.lines)::int)", &connection, hasToStop)
        _ = try connection.query("select private.mark_changes()")
        try Self.repeatUntilDone("select private.compact_changes(\(Self.lines)::int)", &connection, hasToStop)
        try Self.repeatUntilDone("select private.purge_changes(\(Self.lines)::int)", &connection, hasToStop)
    }

    /// Repeats a statement, in a transaction each time, until it returns 0.
    private static func repeatUntilDone(
        _ statement: SQL, _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) {
        var rows = 1
        while rows > 0, !hasToStop() { rows = try connection.query(statement).int(0, 0) ?? 0 }
    }
}

extension PurgeScheduler {
    init(_ settings: Settings) {
        let (trash, merges) = (settings.number("TRASH_DAYS"), settings.number("MERGE_DAYS"))
        self.init(trash: trash > 0 ? trash : nil, merges: merges > 0 ? merges : nil)
    }
}
