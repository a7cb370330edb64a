import Auth
import FastCGI
import Glibc
import HTTP
import Neighbours
import Postgres
import REST
import Telemetry

/// Answers the requests of one worker thread, with the thread's own database connection.
///
/// A request passes these steps: route → caller → plan → SQL → transaction → response. `response(to:)` shows the first
/// two; `RESTEndpoint.respond` shows the others.
public final class RequestResponder: RequestHandler {
    private let services: Services
    private let database: RetryingDatabase
    private let rest: RESTEndpoint
    private var credentials: Credentials

    public init(_ services: Services) {
        self.services = services
        credentials = Credentials(services.accountRules.keys)
        database = RetryingDatabase(services.conninfo, schema: services.schema, log: services.log)
        rest = RESTEndpoint(
            services.catalog, publicURL: services.publicURL, responseLimit: services.responseLimit,
            linkQuota: services.linkQuota, database)
    }

    public func lane(of request: Request) -> Lane { SlowWork.contains(request) ? .slow : .ordinary }

    public func source(of request: Request) -> RequestSource? {
        let client = client(of: request)
        // A whole office may sign in at once: slow requests without a user queue for a thread of their own, and nginx
        // limits their rate.
        if case .network = client, SlowWork.contains(request) { return nil }
        return services.clientLimits.source(of: client)
    }

    public func respond(to request: Request) -> Response {
        var record = RequestRecord()
        var response: Response
        do {
            response = try self.response(to: request, &record)
        } catch {
            response = errorResponse(error, request, record)
        }
        finish(&response, request, record)
        return response
    }

    public func refuse(_ refusal: RequestRejection, _ request: Request) -> Response {
        let record = RequestRecord()
        if case .bodyNotStored(let reason) = refusal {
            services.log(.unforeseen(requestID: request.id, description: reason))
        }
        if refusal == .tooManyOfSource { services.metrics.countRefusal(of: client(of: request)) }
        var response = errorResponse(ServiceError(refusal), request, record)
        finish(&response, request, record)
        return response
    }

    // MARK: - Steps

    /// Finds the route, then the caller, then lets the route's endpoint answer.
    private func response(to request: Request, _ record: inout RequestRecord) throws -> Response {
        let route = try Route(request)
        record.label = route.label
        switch route {
        case .open(let route): return try openResponse(to: request, route)
        case .api(let route):
            if let proxy = services.proxyWatch.proxy(of: request) { services.log(.untrustedProxy(address: proxy)) }
            let now = Int(Glibc.time(nil))
            var caller = try record.timings.measure(.auth) { () throws(TokenError) in
                try self.caller(of: request, route, now: now)
            }
            if let hash = caller.tokenHash {
                caller = try record.timings.measure(.sql) {
                    try owner(ofToken: hash, presentedBy: caller.presentedEmail, request)
                }
                // From now on the requests with this token count for the user.
                if let user = caller.userID { services.tokenOwners.add(user, of: hash) }
            }
            record.caller = caller
            let permission = try permission(of: caller, route, request.method)
            let transaction = CallerTransaction(caller, request, permission, services: services, database: database)
            return try apiResponse(to: request, route, as: transaction, now: now, &record.timings)
        }
    }

    private func openResponse(to request: Request, _ route: OpenRoute) throws -> Response {
        switch route {
        case .preflight: CrossOrigin.preflight(request)
        case .health: HealthEndpoint(database: database).respond(to: request)
        case .metrics: try MetricsEndpoint(services, database).respond(to: request)
        case .searchDescription: SearchDescriptionEndpoint(publicURL: services.publicURL).respond()
        case .sharedArticle(let token):
            try SharedArticleEndpoint(database: database).respond(to: request, token: token)
        case .publicFile(let bucket, let path): try PublicConfigEndpoint(services).respond(bucket: bucket, path: path)
        }
    }

    /// The caller, identified by what the route asks for: an API key and a token, an API key alone, or nothing.
    ///
    /// - Parameter now: epoch seconds.
    private func caller(of request: Request, _ route: APIRoute, now: Int) throws(TokenError) -> Caller {
        if let token = route.pathToken { return try credentials.libraryCaller(pathToken: token) }
        return switch route.access {
        case .open: .nobody
        case .key: try credentials.client(request.headers, queryKey: request.queryKey, now: now)
        case .caller: try credentials.caller(request.headers, queryKey: request.queryKey, now: now)
        case .library: try credentials.libraryCaller(request.headers, now: now)
        case .token(let scheme): try credentials.tokenCaller(request.headers, scheme: scheme, now: now)
        case .tokenOrCookie:
            if request.headers["authorization"] == nil, let token = PullReadCookie.token(in: request.headers) {
                try credentials.tokenCaller(token, now: now)
            } else {
                try credentials.tokenCaller(request.headers, scheme: "bearer", now: now)
            }
        case .tokenInForm: try Self.signedIn(by: request, credentials)
        case .googleLogin:
            if let token = request.headers["authorization"]?.tokenOfGoogleLogin {
                try credentials.tokenCaller(token, now: now)
            } else {
                try credentials.tokenCaller(request.headers, scheme: "bearer", now: now)
            }
        case .tokenInBody: try credentials.tokenCaller(PullRead.token(in: request) ?? "", now: now)
        }
    }

    /// The owner of the API token in a form, whose account must have the address in it.
    private static func signedIn(by request: Request, _ credentials: Credentials) throws(TokenError) -> Caller {
        guard let form = try? GoogleReaderForm(request), let email = form["Email"], let token = form["Passwd"] else {
            throw .noToken
        }
        return try credentials.libraryCaller(token, presentedBy: email)
    }

    private func client(of request: Request) -> RequestClient {
        RequestClient(request, &credentials, services.tokenOwners, now: Int(Glibc.time(nil)))
    }

    /// The owner of a personal API token, looked up in a transaction of its own: what the token permits decides how the
    /// request is planned.
    private func owner(ofToken hash: String, presentedBy email: String?, _ request: Request) throws -> Caller {
        // Recording the use of the token twice does no harm, so the look-up may be repeated.
        let rows = try database.transaction(
            as: Identity(role: "auth_service", applicationName: "lectern \(request.id)"),
            ["select auth.auth_claims(decode(\(hash), 'hex'), \(request.remoteAddress))"], isRead: true)
        return try Caller(ofPersonalToken: rows[0].text(0, 0) ?? "", presentedBy: email)
    }

    private func permission(of caller: Caller, _ route: APIRoute, _ method: String) throws -> TokenPermission {
        guard let scope = caller.scope else { return .everything }
        return try TokenPermission(scope, route, method: method, onlyReads: rest.onlyReads)
    }

    private func apiResponse(
        to request: Request, _ route: APIRoute, as transaction: CallerTransaction, now: Int,
        _ timings: inout RequestTimings
    ) throws -> Response {
        switch route {
        case .restRoot: return try rest.description()
        case .rest(let resource): return try rest.respond(to: request, resource, as: transaction, &timings)
        case .feed(let route):
            let endpoint = FeedsEndpoint(
                publicURL: services.publicURL, schema: services.schema.fingerprint, documents: services.documents,
                responseLimit: services.responseLimit)
            return try timings.measure(.sql) { try endpoint.respond(to: request, route, as: transaction) }
        case .catalog(let route):
            let endpoint = OPDSEndpoint(
                publicURL: services.publicURL, schema: services.schema.fingerprint, documents: services.documents)
            return try timings.measure(.sql) { try endpoint.respond(to: request, route, as: transaction) }
        case .serverFunction(let name):
            let functions = ServerFunctions(limits: services.functionLimits, limiter: services.functionLimiter)
            return try timings.measure(.sql) { try functions.respond(to: request, name, as: transaction) }
        case .book(let book, let file):
            return try timings.measure(.sql) {
                try BookEndpoint().respond(to: request, book: book, file, as: transaction)
            }
        case .document(let link):
            return try timings.measure(.sql) { try DocumentEndpoint().respond(to: request, link, as: transaction) }
        case .markdown(let link):
            return try timings.measure(.sql) { try MarkdownEndpoint().respond(to: request, link, as: transaction) }
        case .importFile:
            return try timings.measure(.sql) { try ImportEndpoint().respond(to: request, as: transaction) }
        case .neighbour(let route):
            let endpoint = NeighbourEndpoint(services: services, database: database, now: now)
            return try timings.measure(.sql) { try endpoint.respond(to: request, route, as: transaction) }
        case .auth(let route):
            return try timings.measure(.sql) {
                let endpoint = AuthEndpoint(
                    request, route, transaction.caller, services.accountRules, database, now: now)
                return try endpoint.respond(to: route)
            }
        }
    }

    // MARK: - Response

    private func errorResponse(_ error: any Error, _ request: Request, _ record: RequestRecord) -> Response {
        if case .refused(let refusal)? = error as? PostgresError, DatabaseError.cause(of: refusal.sqlState) == .shortage
        {
            database.logOutage(refusal.message)
        }
        let errors = ErrorResponse(
            family: APIFamily(path: request.path), apiVersion: request.headers["x-supabase-api-version"])
        if let response = errors(error, isAnonymous: record.isAnonymous) { return response }
        services.log(.unforeseen(requestID: request.id, description: String(describing: error)))
        return errors.shaped(ServiceError.unforeseen(requestID: request.id))
    }

    /// Adds the headers that every response has, counts the request and logs it.
    private func finish(_ response: inout Response, _ request: Request, _ record: RequestRecord) {
        CrossOrigin.mark(&response)
        if record.label != .publicFile, record.label != .preflight, response.headers["cache-control"] == nil {
            response.headers.set("cache-control", "no-store")
        }
        let timings = record.timings
        response.headers.set("server-timing", timings.serverTiming)
        if request.method == "HEAD" {
            // nginx asks with HEAD before it accepts a file, and passes this error on to the client.
            if record.label == .importFile, response.status >= 400 {
                response.headers.set("x-refusal", String(decoding: response.body, as: UTF8.self))
            }
            response.body = []
        }
        services.metrics.count(record.label, status: response.status, duration: timings.total)
        services.log(
            .request(
                .init(
                    id: request.id, user: record.caller?.userID, method: request.method, route: record.label.rawValue,
                    status: response.status, bytes: response.body.count, auth: timings.auth, plan: timings.plan,
                    sql: timings.sql, total: timings.total)))
    }
}

extension String {
    /// The token of `GoogleLogin auth=<token>`; nil for another scheme.
    var tokenOfGoogleLogin: String? {
        let start = "googlelogin auth="
        return prefix(start.count).lowercased() == start ? String(dropFirst(start.count)) : nil
    }
}
