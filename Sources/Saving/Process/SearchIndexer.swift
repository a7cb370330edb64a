import Postgres

/// Adds new and changed texts to the index of words, in batches; see sql/schema/search_indexing.sql.
struct SearchIndexer: Sendable {
    /// The number of users whose texts one transaction indexes.
    private static let users = 10
    /// The number of texts of each user that one transaction indexes. A writer who changes one of them waits for it.
    private static let textsOfUser = 10

    /// One round, run every quarter of a second.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in try indexWaiting(&connection, hasToStop) }
    }

    /// Indexes what waits, a batch at a time.
    ///
    /// - Returns: how many texts were indexed, or could not be.
    @discardableResult func indexWaiting(
        _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) -> Int {
        var (total, count) = (0, 0)
        repeat {
            count =
                try connection.query(
                    "select private.index_waiting_parts(\(Self.users)::int, \(Self.textsOfUser)::int)"
                ).int(0, 0) ?? 0
            if count > 0 { _ = try connection.query("select private.merge_new_keys()") }
            total += count
        } while count > 0 && !hasToStop()
        return total
    }
}
