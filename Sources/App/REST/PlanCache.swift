import HTTP
import Postgres
import REST

/// The plans that one thread has made. Clients repeat few shapes of requests.
///
/// A plan depends on the request line, some headers, the outline of the body and the catalog. It does not depend on the
/// caller or on the values in the body, so those are not part of the key.
struct PlanCache {
    private struct Key: Hashable {
        var method: String
        var resource: Resource
        var query: String
        /// The header fields that a plan depends on.
        var fields: [String]
        var body: JSONBody.Outline?
        var isAdding: Bool

        /// In bytes.
        var size: Int {
            (fields + (body?.keys ?? [])).reduce(query.utf8.count) { $0 + $1.utf8.count }
        }
    }

    private let responseLimit: ResponseLimit
    private var plans: [Key: PlannedRequest] = [:]
    /// The generation of the catalog that the plans were made from.
    private var generation = 0

    /// The maximum number of plans, and the maximum size of a key in bytes: 500 plans take one or two megabytes at
    /// most.
    private static let capacity = 500
    private static let maxKeyBytes = 1_024

    private static let fields: Set<String> = ["prefer", "accept", "range", "accept-profile", "content-profile"]

    init(responseLimit: ResponseLimit = ResponseLimit()) { self.responseLimit = responseLimit }

    /// The plan of a request, with the text of the body in its statements.
    ///
    /// - Parameter isAdding: whether the caller may only add links; see `PlannedRequest.init(adding:)`.
    mutating func plan(
        _ request: Request, _ resource: Resource, _ catalog: CatalogCache.Snapshot, isAdding: Bool = false
    ) throws(QueryError) -> PlannedRequest {
        if catalog.generation != generation {
            plans.removeAll()
            generation = catalog.generation
        }
        let body = try JSONBody(of: request, for: resource)
        let planned = try plan(request, resource, body?.outline, catalog.catalog, isAdding: isAdding)
        guard let body else { return planned }
        return planned.filled(with: body.text)
    }

    private mutating func plan(
        _ request: Request, _ resource: Resource, _ body: JSONBody.Outline?, _ catalog: Catalog, isAdding: Bool
    ) throws(QueryError) -> PlannedRequest {
        let key = Key(
            method: request.method, resource: resource, query: request.query, fields: Self.fields(of: request),
            body: body, isAdding: isAdding)
        if let cached = plans[key] { return cached }
        var plan = try Plan(request, resource, body: body, catalog: catalog)
        plan.responseLimit = responseLimit
        let planned = try isAdding ? PlannedRequest(adding: plan) : PlannedRequest(plan)
        if key.size <= Self.maxKeyBytes {
            if plans.count >= Self.capacity { plans.removeAll(keepingCapacity: true) }
            plans[key] = planned
        }
        return planned
    }

    /// The number of plans in the cache.
    var count: Int { plans.count }

    /// The header fields of a request that its plan depends on.
    static func fields(of request: Request) -> [String] {
        request.headers.fields.filter { Self.fields.contains($0.name) }.map { $0.name + ":" + $0.value }
    }
}
