import Postgres

/// Adds new and changed texts to the index of words, in batches; see sql/schema/search_indexing.sql.
struct SearchIndexer: Sendable {
    /// The milliseconds after which one transaction starts no further text. Whoever changes one of its texts waits for its
    /// end.
    var milliseconds = 200

    /// One round, run every quarter of a second.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in try indexWaiting(&connection, hasToStop) }
    }

    /// Indexes what waits: a batch of each user in turn, until no user has any more.
    ///
    /// - Returns: how many texts were indexed, or could not be.
    @discardableResult func indexWaiting(
        _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) -> Int {
        var (total, countOfTurn, lastOwner) = (0, 0, 0)
        repeat {
            let batch = try connection.query(
                "select tried, last_owner from private.index_waiting_parts(\(lastOwner)::int, \(milliseconds)::int)")
            let count = batch.int(0, 0) ?? 0
            lastOwner = batch.int(0, 1) ?? 0
            if count > 0 { _ = try connection.query("select private.merge_new_keys()") }
            total += count
            countOfTurn += count
            if lastOwner == 0 {
                if countOfTurn == 0 { break }
                countOfTurn = 0
            }
        } while !hasToStop()
        return total
    }
}
