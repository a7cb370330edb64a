import Auth
import FastCGI
import Glibc
import HTTP
import Postgres
import REST
import Schema
import Telemetry

/// Answers requests on one worker thread, with that thread's own way to PostgreSQL.
///
/// The way of a request, top to bottom: route → caller → plan → SQL → transaction → response.
public final class RequestResponder: RequestHandler {
    private let services: Services
    private let database: Database
    private var credentials: Credentials
    private var plans = PlanCache()
    private var lastOutage: String?
    private var lastDescription: (text: [UInt8], generation: Int)?

    public init(_ services: Services) {
        self.services = services
        credentials = Credentials(services.accountRules.keys)
        database = Database(services.conninfo) { connection throws(PostgresError) in
            try SchemaVersion.check(&connection)
        }
    }

    public func lane(of request: Request) -> Lane { SlowWork.contains(request) ? .slow : .ordinary }

    public func respond(to request: Request) -> Response {
        var watch = Stopwatch()
        var caller: Caller?
        var label = Route.Label.none
        var response: Response
        do {
            let route = try Route(request)
            label = route.label
            response = try answer(route, request, &caller, &watch)
        } catch {
            response = explain(error, request, caller)
        }
        return finish(&response, request, label, caller, watch)
    }

    public func refuse(_ refusal: RequestRejection, _ request: Request) -> Response {
        let error: ServiceError =
            switch refusal {
            case .bodyTooLarge(let limit): .tooLarge(limit: limit)
            case .bodyIncomplete: .incomplete
            case .tooManyFields: .tooManyFields
            case .malformed: .malformed
            case .tooManyWaiting: .tooManyWaiting
            }
        var response = explain(error, request, nil)
        return finish(&response, request, .none, nil, Stopwatch())
    }

    // MARK: - Routes

    private func answer(
        _ route: Route, _ request: Request, _ caller: inout Caller?, _ watch: inout Stopwatch
    ) throws -> Response {
        switch route {
        case .preflight: return CrossOrigin.preflight(request)
        case .health: return health()
        case .metrics: return try metrics(request)
        case .publicFile(let bucket, let path): return try publicFile(bucket, path)
        default: break
        }
        let known = try watch.time(.auth) { () throws(TokenError) in try who(is: route, request) }
        caller = known
        switch route {
        case .table(let name): return try rest(.table(name), request, known, route, &watch)
        case .function(let name): return try rest(.function(name), request, known, route, &watch)
        case .serverFunction(let name):
            return try watch.time(.sql) { try functions(request, known, route).answer(name, request, known) }
        case .restRoot:
            if known.tokenHash != nil { _ = try named(known, request, route) }
            return Response(status: 200, headers: ["content-type": OpenAPI.contentType], body: try description())
        case .auth(let route): return try watch.time(.sql) { try auth(route, request, known) }
        case .preflight, .health, .metrics, .publicFile: throw RouteError.unknown(.other, request.path)
        }
    }

    /// Who is asking, as far as the route wants to know.
    private func who(is route: Route, _ request: Request) throws(TokenError) -> Caller {
        let (headers, key, now) = (request.headers, Self.queryKey(request), Self.now())
        guard case .auth(let route) = route, route.access != .caller else {
            return try credentials.caller(headers, queryKey: key, now: now)
        }
        return route.access == .open ? .nobody : try credentials.client(headers, queryKey: key, now: now)
    }

    /// `/rest/v1/<table>` and `/rest/v1/rpc/<function>`.
    private func rest(
        _ resource: Resource, _ request: Request, _ caller: Caller, _ route: Route, _ watch: inout Stopwatch
    ) throws -> Response {
        let catalog = try watch.time(.sql) { try self.catalog() }
        if request.method == "OPTIONS" { return try options(resource, catalog.catalog) }
        let planned = try watch.time(.plan) { () throws(QueryError) in try plans.plan(request, resource, catalog) }
        let plan = planned.plan
        let action = try plan.isRead ? nil : ClientAction(request.headers)
        let isImport = try ClientIntent(request.headers) == .import
        func identity(isMerging: Bool) -> Identity {
            var identity = self.identity(of: caller, request, route, isMerging: isMerging)
            identity.isReadOnly = plan.isRead
            identity.settings += (action?.settings ?? []) + (isImport ? [ClientIntent.setting] : [])
            return identity
        }
        let conditional = ConditionalRead(request, resource, plan, caller)
        if let conditional, let known = conditional.known(to: request.headers) {
            let rows = try watch.time(.sql) { try run([ConditionalRead.changes], as: identity(isMerging: false), isRead: true) }
            if rows[0].int(0, 0) == known { return Response(status: 304, headers: ["etag": conditional.tag(known)]) }
        }
        let rows = try watch.time(.sql) {
            try found(by: planned, after: action?.preparation(for: plan), as: identity, isImport: isImport)
        }
        let answer = try StatementResult(plan, rows)
        var response = answer.response
        if let conditional, let changes = answer.changes { response.headers.add("etag", conditional.tag(changes)) }
        if action != nil { response.headers.add(ClientAction.supersededHeader, String(answer.superseded)) }
        return response
    }

    /// The rows of a plan's statement; of its second way, where the first ended at another name of a link.
    ///
    /// - Parameters:
    ///   - identity: who asks, given whether rows that are there may be changed by an insert.
    ///   - isImport: saving a page that is there fills what is empty, by whichever name it is saved.
    private func found(
        by planned: PlanCache.Planned, after preparation: SQL?, as identity: (_ isMerging: Bool) -> Identity, isImport: Bool
    ) throws(PostgresError) -> Rows {
        let plan = planned.plan
        func run(_ sql: SQL, isMerging: Bool) throws(PostgresError) -> Rows {
            let batch = [preparation, sql].compactMap { $0 }
            return try self.run(batch, as: identity(isMerging), isRead: plan.isRead)[batch.count - 1]
        }
        guard let detour = planned.detour else { return try run(planned.sql, isMerging: plan.isMerging) }
        var conflict: PostgresError?
        if !(isImport && plan.isMerging) {
            do {
                let rows = try run(planned.sql, isMerging: plan.isMerging)
                if !plan.needsDetour(after: rows) { return rows }
            } catch where plan.needsDetour(after: error) { conflict = error }
        }
        var attempt = 1
        while true {
            do {
                return try run(detour, isMerging: plan.detourIsMerging)
            } catch where plan.isOvertaken(error) && attempt < 5 {
                // Others saved the same page at the same moment: theirs is there the next time.
            } catch .refused(let refusal) where refusal.sqlState == "LT403" && conflict != nil {
                // A token that may only save neither changes a page that is there nor is told of it.
                throw conflict ?? .refused(refusal)
            }
            attempt += 1
        }
    }

    /// OPTIONS without a preflight's headers: what the path takes.
    private func options(_ resource: Resource, _ catalog: Catalog) throws(QueryError) -> Response {
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

    /// What is to be had under `/rest/v1/`; written once a catalog, as it is long.
    private func description() throws -> [UInt8] {
        let catalog = try catalog()
        if let (known, generation) = lastDescription, generation == catalog.generation { return known }
        let description = Array(OpenAPI(catalog.catalog, url: services.publicURL).json.utf8)
        lastDescription = (description, catalog.generation)
        return description
    }

    private func functions(_ request: Request, _ caller: Caller, _ route: Route) -> ServerFunctions {
        ServerFunctions(limits: services.functionLimits, waiting: services.waitingThreads) {
            [self] batch throws(PostgresError) in
            try run(batch, as: identity(of: caller, request, route), isRead: false)
        }
    }

    private func auth(_ route: AuthRoute, _ request: Request, _ caller: Caller) throws -> Response {
        let caller = caller.tokenHash == nil ? caller : try named(caller, request, .auth(route))
        let origin = Accounts.Origin(userAgent: request.headers["user-agent"], address: request.remoteAddress)
        let accounts = Accounts(services.accountRules, from: origin, now: Self.now()) {
            [self] batch throws(PostgresError) in
            try run(batch, as: accountsIdentity(of: caller, route, request, origin), isRead: false)
        }
        return try AuthEndpoint(accounts: accounts, request: request, caller: caller)(route)
    }

    /// The accounts at work; what the audit log says of the request comes from here.
    private func accountsIdentity(
        of caller: Caller, _ route: AuthRoute, _ request: Request, _ origin: Accounts.Origin
    ) -> Identity {
        let actor =
            switch (caller.role, route) {
            case (.serviceRole, _): "service key"
            // Which one, without an id that would outlive its account in the logs of others.
            case (.authenticated, .admin): "admin \((caller.userID ?? "").prefix(8))"
            case (.authenticated, _): "user"
            case (.anon, _): "visitor"
            }
        return Identity(
            role: "auth_service",
            // Deleting an account of a hundred thousand links is one statement; the web server waits for a minute.
            statementTimeout: services.accountsTimeout, applicationName: "lectern \(request.id)",
            settings: [
                .init("lectern.actor", actor), .init("lectern.address", origin.address ?? ""),
                .init("lectern.user_agent", origin.userAgent ?? ""),
            ])
    }

    /// The owner of a personal API token, looked up by itself: where the answer is not a statement in their name.
    private func named(_ caller: Caller, _ request: Request, _ route: Route) throws -> Caller {
        let claims = try run(
            ["select " + tokenClaims(caller, request, route)],
            as: Identity(role: "auth_service", applicationName: "lectern \(request.id)"), isRead: false)
        return try Caller(ofPersonalToken: claims[0].text(0, 0) ?? "")
    }

    // MARK: - Small answers

    /// 200 when the database answers and has the schema this build works with.
    private func health() -> Response {
        do {
            try checkSchema()
            return Response(
                status: 200, json: #"{"status":"ok","schema":\#(SchemaVersion.required)}"#,
                headers: ["cache-control": "no-store"])
        } catch {
            let reason =
                if case .unavailable(let reason) = error, reason.hasPrefix("schema version") { reason } else {
                    "the database does not answer"
                }
            return Response(
                status: 503, json: JSONText.object([("status", JSONText.string("unavailable")), ("reason", JSONText.string(reason))]),
                headers: ["cache-control": "no-store", "retry-after": "1"])
        }
    }

    /// Twice, as the first try may find an idle connection whose end nobody has noticed.
    private func checkSchema() throws(PostgresError) {
        do { try database.usingConnection(SchemaVersion.check) } catch { try database.usingConnection(SchemaVersion.check) }
    }

    /// Open on the workers' own socket, where there is no web server and so no client address; by token elsewhere.
    private func metrics(_ request: Request) throws -> Response {
        if request.remoteAddress != nil {
            let token = services.metricsToken
            guard !token.isEmpty, request.headers["authorization"] == "Bearer \(token)" else {
                throw ServiceError.forbidden
            }
        }
        var text = services.metrics.text()
        let queue = try run(
            ["select state, count(*) from private.jobs group by state order by state"],
            as: Identity(role: "lectern_metrics", applicationName: "lectern metrics"), isRead: true)[0]
        text += "# HELP lectern_jobs Jobs in the queue.\n# TYPE lectern_jobs gauge\n"
        for row in 0..<queue.count {
            text += "lectern_jobs{state=\"\(queue.text(row, 0) ?? "")\"} \(queue.int(row, 1) ?? 0)\n"
        }
        return Response(
            status: 200, headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8"], body: Array(text.utf8))
    }

    /// The public client configuration, the one public file there is.
    private func publicFile(_ bucket: String, _ path: String) throws -> Response {
        guard services.configBuckets.contains(bucket), path == bucket + "-config.json" else {
            throw ServiceError.unknownObject
        }
        return Response(status: 200, json: JSONText.object([("anonKey", JSONText.string(services.keys.anon))]))
    }

    // MARK: - The database

    /// The caller in the database; of a personal API token, whoever it turns out to belong to.
    ///
    /// - Parameter isMerging: whether rows that are there already may be changed by an insert.
    private func identity(of caller: Caller, _ request: Request, _ route: Route, isMerging: Bool = false) -> Identity {
        var identity = Identity(
            role: caller.role.rawValue, claims: caller.claims, statementTimeout: services.statementTimeout,
            applicationName: "lectern \(request.id)", settings: services.quotas)
        if caller.tokenHash != nil { identity.claims = tokenClaims(caller, request, route, isMerging) }
        return identity
    }

    private func tokenClaims(_ caller: Caller, _ request: Request, _ route: Route, _ isMerging: Bool = false) -> SQL {
        // Merging tells of a link that is there, and changes it.
        let scopes = route.scopes(request.method).filter { !isMerging || $0 != .save }.map(\.rawValue)
        return "auth.token_claims(decode(\(caller.tokenHash), 'hex'), \(array: scopes)::text[], \(request.remoteAddress))"
    }

    /// Runs a transaction; again when trying again is safe and promising.
    ///
    /// A read may always be repeated. A write only when PostgreSQL says it undid it (serialisation, deadlock); when
    /// the connection broke, nobody knows, and the client is told to ask again.
    private func run(_ batch: [SQL], as identity: Identity, isRead: Bool) throws(PostgresError) -> [Rows] {
        var attempt = 1
        while true {
            do {
                let rows = try database.transaction(as: identity, batch)
                lastOutage = nil
                return rows
            } catch .unavailable(let reason) {
                guard isRead, attempt == 1, lastOutage == nil else {
                    noteOutage(reason)
                    throw .unavailable(reason: reason)
                }
            } catch .refused(let refusal) where ["40001", "40P01"].contains(refusal.sqlState) && attempt < 5 {
                // The other transaction won; ours left no trace.
            }
            attempt += 1
        }
    }

    /// One line an outage and thread, not one a request.
    private func noteOutage(_ reason: String) {
        if lastOutage != reason { services.log(.databaseUnavailable(reason: reason)) }
        lastOutage = reason
    }

    private func catalog() throws -> CatalogCache.Known {
        if let known = services.catalog.known { return known }
        let generation = services.catalog.generation
        let rows = try run([Catalog.query], as: Identity(role: "anon", applicationName: "lectern catalog"), isRead: true)
        return services.catalog.keep(try Catalog(json: rows[0].text(0, 0) ?? ""), readAt: generation)
    }

    // MARK: - Ends

    private func explain(_ error: any Error, _ request: Request, _ caller: Caller?) -> Response {
        let explain = ErrorResponse(
            area: Area(path: request.path), apiVersion: request.headers["x-supabase-api-version"])
        var error = error
        // The auth API has its own word for a token it does not take.
        if case .invalidToken(let why)? = error as? TokenError, explain.area == .auth { error = AuthError.badJWT(why) }
        if case .invalidClaims(let why)? = error as? TokenError, explain.area == .auth { error = AuthError.badJWT(why) }
        if case .refused(let refusal)? = error as? PostgresError, DatabaseError.cause(of: refusal.sqlState) == .shortage {
            noteOutage(refusal.message)
        }
        if let response = explain(error, isAnonymous: caller?.role != .authenticated && caller?.role != .serviceRole) {
            return response
        }
        services.log(.unforeseen(requestID: request.id, description: String(describing: error)))
        return explain.shaped(ServiceError.unforeseen(requestID: request.id))
    }

    /// What every answer carries, and the one log line of its request.
    private func finish(
        _ response: inout Response, _ request: Request, _ label: Route.Label, _ caller: Caller?, _ watch: Stopwatch
    ) -> Response {
        CrossOrigin.mark(&response)
        if label != .publicFile, label != .preflight, response.headers["cache-control"] == nil {
            response.headers.set("cache-control", "no-store")
        }
        response.headers.set("server-timing", watch.serverTiming)
        if request.method == "HEAD" { response.body = [] }
        services.metrics.count(label, status: response.status, duration: watch.total)
        services.log(
            .request(
                .init(
                    id: request.id, user: caller?.userID, method: request.method, route: label.rawValue,
                    status: response.status, bytes: response.body.count, auth: watch.auth, plan: watch.plan,
                    sql: watch.sql, total: watch.total)))
        return response
    }

    /// Epoch seconds.
    private static func now() -> Int { Glibc.time(nil) }

    /// The `apikey` of the query, which stands in for the header where there is none.
    private static func queryKey(_ request: Request) -> String? {
        guard request.headers["apikey"] == nil else { return nil }
        return (try? QueryString(request.query))?["apikey"]
    }
}
