import Postgres
import REST

/// A plan with its statement, and the statement that replaces it when the link is known by another name.
struct PlannedRequest {
    var plan: Plan
    var sql: SQL
    /// The call of a function that has to precede `sql`.
    private(set) var call: SQL?
    var fallback: KnownLinkFallback?
    /// The text of the body.
    private(set) var body: String?

    init(_ plan: Plan) throws(QueryError) {
        self.plan = plan
        sql = try plan.sql()
        call = plan.precedingCall
        fallback = try KnownLinkFallback(plan)
    }

    /// The request of a caller who may only add links, whatever its query and its preferences ask for: the response has
    /// the ids and the states of the added links. The functions of the database know the caller's scope and leave links
    /// that exist as they are; see `rest.only_adds`.
    init(adding plan: Plan) throws(QueryError) {
        self.plan = plan.telling(only: ["id", "state"])
        if case .insert(let insert) = self.plan.action {
            sql = try self.plan.sql(replacingWriteBy: KnownLinkFallback.save(insert, nil))
        } else {
            sql = try self.plan.sql()
        }
        fallback = KnownLinkFallback(repeating: sql)
    }

    /// The request with the text of its body as the deferred bind of its statements.
    func filled(with body: String) -> Self {
        var copy = self
        copy.body = body
        copy.sql = sql.filled(with: body)
        copy.call = call?.filled(with: body)
        copy.fallback = fallback?.filled(with: body)
        return copy
    }

    /// Runs the statement, and the fallback when its condition holds.
    ///
    /// An import that merges goes to the fallback at once: saving a known page then only fills empty columns, whichever
    /// of its names it is saved by.
    func rows(as transaction: CallerTransaction, _ options: RequestOptions) throws(PostgresError) -> Rows {
        let preparation = options.action?.preparation(for: plan)
        let lock = WriteLock(plan, options)
        func run(_ sql: SQL, _ lock: WriteLock) throws(PostgresError) -> Rows {
            let batch = [preparation, call, sql].compactMap { $0 }
            let transaction = plan.isRead ? transaction : transaction.locking(lock)
            return try transaction.run(batch)[batch.count - 1]
        }
        guard let fallback else { return try run(sql, lock) }
        if !(options.isImport && plan.isMerging) {
            do {
                let rows = try run(sql, lock)
                if !fallback.isNeeded(after: rows) { return rows }
            } catch  where fallback.isNeeded(after: error) {
                // The fallback answers.
            }
        }
        // A save of a known page may write several rows of it.
        return try fallback.rows { () throws(PostgresError) in try run(fallback.sql, .exclusive) }
    }
}
