import Auth
import HTTP
import Neighbours
import Postgres

/// Answers the routes of other readers' APIs, with the rows of the caller.
struct NeighbourEndpoint {
    let services: Services
    let database: RetryingDatabase
    /// Epoch seconds.
    let now: Int

    /// Answers a request. A read whose answer depends on the user's rows only gets an entity tag, and is answered from
    /// memory while nothing has changed.
    func respond(to request: Request, _ route: NeighbourRoute, as transaction: CallerTransaction) throws -> Response {
        let transaction = transaction.adding([.init("request.public_url", services.publicURL)])
        guard route.isTagged(request.query), let user = transaction.caller.userID else {
            return try response(to: request, route, as: transaction)
        }
        let condition = ConditionalRead(
            ofDocument: [user, request.path, request.query, services.schema.fingerprint])
        // The number is read before the rows, so a tag is never newer than its answer.
        let changes = try transaction.readOnly.run([condition.changeCounter])[0].int(0, 0) ?? 0
        var headers: Headers = ["etag": condition.tag(changes), "cache-control": "private, no-cache"]
        if condition.counter(in: request.headers) == changes { return Response(status: 304, headers: headers) }
        let key = DocumentCache.Key(user: user, path: request.path, query: request.query)
        if let body = services.documents.body(key, changes: changes) {
            headers.set("content-type", NeighbourRoute.contentType)
            return Response(status: 200, headers: headers, body: body)
        }
        var response = try response(to: request, route, as: transaction, totals: totals(of: user, at: changes))
        services.documents.keep(response.body, key, changes: changes)
        for field in headers.fields { response.headers.set(field.name, field.value) }
        return response
    }

    private func response(
        to request: Request, _ route: NeighbourRoute, as transaction: CallerTransaction, totals: KeptTotals? = nil
    ) throws -> Response {
        let caller = Self.caller(transaction)
        let wallabag = Wallabag(
            publicURL: services.publicURL, maximumBytes: services.responseLimit.bytes, as: caller, totals: totals)
        switch route {
        case .wallabag(.token):
            return try WallabagTokenEndpoint(services, database, for: request, now: now).respond(to: request)
        case .wallabag(.export(let number, .epub)):
            let book = try wallabag.link(ofFile: number)
            return try BookEndpoint().respond(to: request, book: book, .book, as: transaction)
        case .wallabag(.export(let number, .md)):
            let link = try wallabag.link(ofFile: number)
            var response = try MarkdownEndpoint().respond(to: request, link, as: transaction)
            response.headers.set("content-disposition", "attachment; filename=\"article.md\"")
            return response
        case .wallabag(let route): return try wallabag.respond(to: request, route)
        case .linkding(let route):
            return try Linkding(publicURL: services.publicURL, as: caller).respond(to: request, route)
        case .googleReader(let route):
            return try GoogleReader(
                publicURL: services.publicURL, maximumBytes: services.responseLimit.bytes / 2,
                read: { try transaction.readOnly.run([$0])[0] },
                write: { try transaction.locking(.exclusive).run([$0])[0] }
            ).respond(to: request, route)
        case .pullRead(let route): return try PullReadEndpoint(services).respond(to: request, route, as: transaction)
        }
    }

    /// The totals of lists of a user, whose number of changes was read before.
    private func totals(of user: String, at changes: Int) -> KeptTotals {
        func key(_ list: String) -> DocumentCache.Key { .init(user: user, path: "total of entries", query: list) }
        let documents = services.documents
        return KeptTotals(
            read: { documents.body(key($0), changes: changes).flatMap { Int(String(decoding: $0, as: UTF8.self)) } },
            keep: { documents.keep(Array(String($1).utf8), key($0), changes: changes) })
    }

    private static func caller(_ transaction: CallerTransaction) -> NeighbourCaller {
        NeighbourCaller(
            onlyAdds: transaction.permission == .adding,
            onlyReads: transaction.permission == .reading,
            read: { (batch, settings) throws(PostgresError) in
                try transaction.readOnly.adding(settings).run(batch)
            },
            write: { (batch, settings) throws(PostgresError) in
                try transaction.locking(.exclusive).adding(settings).run(batch)
            })
    }
}
