import Postgres
import REST

/// A plan with its statement, and the statement that replaces it when the link is known by another name.
struct PlannedRequest {
    var plan: Plan
    var sql: SQL
    var fallback: KnownLinkFallback?

    /// The request with the text of its body as the deferred bind of its statements.
    func filled(with body: String) -> Self {
        PlannedRequest(plan: plan, sql: sql.filled(with: body), fallback: fallback?.filled(with: body))
    }

    /// Runs the statement, and the fallback when its condition holds.
    ///
    /// An import that merges goes to the fallback at once: saving a known page then only fills empty columns, whichever
    /// of its names it is saved by.
    func rows(as transaction: CallerTransaction, _ options: RequestOptions) throws(PostgresError) -> Rows {
        let preparation = options.action?.preparation(for: plan)
        func run(_ sql: SQL, isMerging: Bool) throws(PostgresError) -> Rows {
            let batch = [preparation, sql].compactMap { $0 }
            return try (isMerging ? transaction.withoutSaveScope : transaction).run(batch)[batch.count - 1]
        }
        guard let fallback else { return try run(sql, isMerging: plan.isMerging) }
        var conflict: PostgresError?
        if !(options.isImport && plan.isMerging) {
            do {
                let rows = try run(sql, isMerging: plan.isMerging)
                if !fallback.isNeeded(after: rows) { return rows }
            } catch  where fallback.isNeeded(after: error) { conflict = error }
        }
        return try fallback.rows(conflict: conflict) { () throws(PostgresError) in
            try run(fallback.sql, isMerging: fallback.isMerging)
        }
    }
}
