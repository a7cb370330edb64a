import HTTP
import Postgres
import REST

/// Plans one thread has made already: clients ask for the same list, and save in the same way, again and again.
///
/// A plan depends on the request's own words, the outline of its body and the catalog, never on who asks or what the
/// body says, so these are the key.
struct PlanCache {
    /// The plan, its statement, and the statement of its second way.
    typealias Planned = (plan: Plan, sql: SQL, detour: SQL?)

    private struct Key: Hashable {
        var method: String
        var resource: Resource
        var query: String
        /// The header fields a plan is made of.
        var fields: [String]
        var body: JSONBody.Outline?

        /// In bytes.
        var size: Int {
            (fields + (body?.keys ?? [])).reduce(query.utf8.count) { $0 + $1.utf8.count }
        }
    }

    private var plans: [Key: Planned] = [:]
    /// Which catalog they were made over.
    private var generation = 0

    /// Most plans kept, and the longest key worth keeping, in bytes: 500 of them take a megabyte or two at most.
    private static let capacity = 500
    private static let longestKey = 1_024

    private static let fields: Set<String> = ["prefer", "accept", "range", "accept-profile", "content-profile"]

    /// The plan of a request, and its statements with the body's text in them.
    mutating func plan(
        _ request: Request, _ resource: Resource, _ catalog: CatalogCache.Known
    ) throws(QueryError) -> Planned {
        if catalog.generation != generation {
            plans.removeAll()
            generation = catalog.generation
        }
        let body = try JSONBody(of: request, for: resource)
        let planned = try plan(request, resource, body?.outline, catalog.catalog)
        guard let body else { return planned }
        return (planned.plan, planned.sql.filled(with: body.text), planned.detour?.filled(with: body.text))
    }

    private mutating func plan(
        _ request: Request, _ resource: Resource, _ body: JSONBody.Outline?, _ catalog: Catalog
    ) throws(QueryError) -> Planned {
        let key = Key(
            method: request.method, resource: resource, query: request.query, fields: Self.fields(of: request), body: body)
        if let known = plans[key] { return known }
        let plan = try Plan(request, resource, body: body, catalog: catalog)
        let planned = (plan, try plan.sql(), try plan.detour())
        if key.size <= Self.longestKey {
            if plans.count >= Self.capacity { plans.removeAll(keepingCapacity: true) }
            plans[key] = planned
        }
        return planned
    }

    /// The header fields of a request that its plan is made of.
    static func fields(of request: Request) -> [String] {
        request.headers.fields.filter { Self.fields.contains($0.name) }.map { $0.name + ":" + $0.value }
    }
}
