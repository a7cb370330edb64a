import HTTP
import Postgres
import REST

/// Plans of reads one thread has made already: clients ask for the same list again and again, with other tokens.
///
/// A plan depends on the request's own words and the catalog only, never on who asks, so the words are the key.
struct PlanCache {
    typealias Planned = (plan: Plan, sql: SQL)

    private struct Key: Hashable {
        var method: String
        var table: String
        var query: String
        /// Values of the header fields a plan is made of.
        var fields: [String]
    }

    private var plans: [Key: Planned] = [:]

    /// Most plans kept, and the longest query worth keeping, in bytes: 500 of them take a megabyte at most.
    private static let capacity = 500
    private static let longestQuery = 1_024

    private static let fields: Set<String> = ["prefer", "accept", "range", "accept-profile", "content-profile"]

    /// The plan of a request and its statement.
    mutating func plan(_ request: Request, table: String, catalog: Catalog) throws(QueryError) -> Planned {
        guard request.method == "GET" || request.method == "HEAD", request.query.utf8.count <= Self.longestQuery else {
            return try Self.make(request, table, catalog)
        }
        let fields = request.headers.fields.lazy.filter { Self.fields.contains($0.name) }.map { $0.name + ":" + $0.value }
        let key = Key(method: request.method, table: table, query: request.query, fields: Array(fields))
        if let known = plans[key] { return known }
        let planned = try Self.make(request, table, catalog)
        if plans.count >= Self.capacity { plans.removeAll(keepingCapacity: true) }
        plans[key] = planned
        return planned
    }

    private static func make(_ request: Request, _ table: String, _ catalog: Catalog) throws(QueryError) -> Planned {
        let plan = try Plan(request, table: table, catalog: catalog)
        return (plan, try plan.sql())
    }
}
