import HTTP
import Postgres
import REST

/// Answers `/rest/v1/`, `/rest/v1/<table>` and `/rest/v1/rpc/<function>`. Each worker thread has its own, with its own
/// cache of plans.
final class RESTEndpoint {
    private let catalogs: CatalogCache
    private let publicURL: String
    private let responseLimit: ResponseLimit
    private let database: RetryingDatabase
    private let linkQuota: LinkQuotaChecks
    private var plans: PlanCache
    private var lastDescription: (text: [UInt8], generation: Int)?

    init(
        _ catalogs: CatalogCache, publicURL: String, responseLimit: ResponseLimit, linkQuota: LinkQuotaChecks,
        _ database: RetryingDatabase
    ) {
        self.catalogs = catalogs
        self.publicURL = publicURL
        self.responseLimit = responseLimit
        self.linkQuota = linkQuota
        self.database = database
        plans = PlanCache(responseLimit: responseLimit)
    }

    /// Answers a request for a table or a function: plan → SQL → transaction → response.
    func respond(
        to request: Request, _ resource: Resource, as transaction: CallerTransaction, _ timings: inout RequestTimings
    ) throws -> Response {
        let catalog = try timings.measure(.sql) { try catalogs.current(from: database) }
        if request.method == "OPTIONS" {
            return Self.varying(try Self.allowedMethods(of: resource, in: catalog.catalog))
        }
        let isAdding = transaction.permission == .adding
        let planned = try timings.measure(.plan) { () throws(QueryError) in
            try plans.plan(request, resource, catalog, isAdding: isAdding)
        }
        var response = Self.varying(try respond(to: request, resource, planned, as: transaction, &timings))
        if let location = planned.plan.contentLocation { response.headers.add("content-location", location) }
        return response
    }

    private func respond(
        to request: Request, _ resource: Resource, _ planned: PlannedRequest, as transaction: CallerTransaction,
        _ timings: inout RequestTimings
    ) throws -> Response {
        var options = try RequestOptions(request.headers, planned.plan)
        // Whether a newer action was applied to a link would reveal when its user last changed it.
        if transaction.permission == .adding { options.action = nil }
        let queries = try SearchQueries(planned)
        var transaction = (planned.plan.isRead ? transaction.readOnly : transaction)
            .adding(options.settings + queries.settings)
        if LongStatements.contains(planned.plan) { transaction = transaction.allowing(LongStatements.time) }
        let condition = ConditionalRead(
            request, resource, planned.plan, transaction.caller, schema: database.schema.fingerprint)
        if let condition,
            let notModified = try timings.measure(
                .sql,
                {
                    try condition.notModified(request.headers, as: transaction)
                })
        {
            return notModified
        }
        let isWithinQuota = linkQuota.covers(planned.plan, of: transaction.caller.userID)
        let rows: Rows
        do {
            rows = try timings.measure(.sql) { () throws(PostgresError) in
                try planned.rows(as: isWithinQuota ? transaction.withoutLinkQuota : transaction, options)
            }
        } catch {
            guard case .refused(let refusal) = error, ResponseLimit.isExceeded(refusal) else { throw error }
            throw QueryError.responseTooLarge(limit: responseLimit.bytes)
        }
        if !isWithinQuota { linkQuota.pass(planned.plan, of: transaction.caller.userID) }
        let result = try StatementResult(planned.plan, rows)
        return Self.response(result, options, condition)
    }

    private static func response(
        _ result: StatementResult, _ options: RequestOptions, _ condition: ConditionalRead?
    ) -> Response {
        var response = result.response
        if let condition, let changes = result.changes { response.headers.add("etag", condition.tag(changes)) }
        if options.action != nil { response.headers.add(ActionTime.supersededHeader, String(result.superseded)) }
        return response
    }

    /// Names the header fields that select one of several representations, for caches.
    private static func varying(_ response: Response) -> Response {
        var response = response
        response.headers.add("vary", "Accept, Prefer, Range")
        return response
    }

    /// OPTIONS without the headers of a preflight: the methods that the path allows.
    private static func allowedMethods(of resource: Resource, in catalog: Catalog) throws(QueryError) -> Response {
        let methods: String
        switch resource {
        case .table(let name):
            _ = try catalog.table(name)
            methods = "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"
        case .function(let name):
            guard let function = catalog.functions[name] else { throw .unknownFunction(name, arguments: []) }
            methods = function.isVolatile ? "OPTIONS,POST" : "OPTIONS,GET,HEAD,POST"
        }
        return Response(status: 200, headers: ["allow": methods])
    }

    /// `/rest/v1/`: the OpenAPI description of tables and functions. It is long, so the text is cached until the
    /// catalog changes.
    func description() throws -> Response {
        Self.varying(Response(status: 200, headers: ["content-type": OpenAPI.contentType], body: try openAPIText()))
    }

    /// Whether a function changes nothing. An unknown one counts as such, so that its caller learns that it is unknown.
    func onlyReads(_ function: String) throws -> Bool {
        try catalogs.current(from: database).catalog.functions[function]?.isVolatile != true
    }

    private func openAPIText() throws -> [UInt8] {
        let catalog = try catalogs.current(from: database)
        if let (text, generation) = lastDescription, generation == catalog.generation { return text }
        let api = OpenAPI(
            catalog.catalog, url: publicURL, title: "Lectern",
            description: "Saved links and their articles. Speaks the dialect of PostgREST.")
        let text = Array(api.json.utf8)
        lastDescription = (text, catalog.generation)
        return text
    }
}
