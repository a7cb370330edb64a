import Postgres

/// Adds to the index of words what is missing there, or what older rules have indexed; see
/// sql/schema/search_maintenance.sql. There is something to do only after an upgrade.
struct SearchReindexer: Sendable {
    /// The number of links or tags that one transaction indexes. Their owners wait for it with their writes.
    private static let batch = 10

    /// One round, run when the process starts.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in
            for table in ["public.links", "public.tags"] { try reindex(table, &connection, hasToStop) }
        }
    }

    /// Goes through a table in large steps that only look, and again in small ones where something is missing.
    private func reindex(
        _ table: String, _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) {
        var place: Int?
        repeat {
            let seen = try step(table, from: place, isDryRun: true, &connection)
            var repaired = place
            while seen.count > 0, !hasToStop() {
                repaired = try step(table, from: repaired, isDryRun: false, &connection).next
                guard let reached = repaired, reached < seen.next ?? .max else { break }
            }
            place = seen.next
        } while place != nil && !hasToStop()
    }

    /// - Returns: the number of rows that are to be indexed or were, and where to go on; nil at the end of the table.
    private func step(
        _ table: String, from place: Int?, isDryRun: Bool, _ connection: inout Connection
    ) throws(PostgresError) -> (count: Int, next: Int?) {
        let rows = try connection.query(
            """
            select last_id, changed
            from private.reindex_older(\(table), \(place)::bigint, \(Self.batch)::int, \(isDryRun)::boolean)
            """)
        return (rows.int(0, 1) ?? 0, rows.int(0, 0))
    }
}
