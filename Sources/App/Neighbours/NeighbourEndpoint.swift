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

    /// Answers a request; a read whose answer depends on the user's rows only gets an entity tag.
    func respond(to request: Request, _ route: NeighbourRoute, as transaction: CallerTransaction) throws -> Response {
        let transaction = transaction.adding([.init("request.public_url", services.publicURL)])
        guard route.isTagged(request.query), let user = transaction.caller.userID else {
            return try response(to: request, route, as: transaction, counting: nil)
        }
        let condition = ConditionalRead(
            ofDocument: [user, request.path, request.query, services.schema.fingerprint])
        if var notModified = try condition.notModified(request.headers, as: transaction.readOnly) {
            notModified.headers.set("cache-control", "private, no-cache")
            return notModified
        }
        let counting = Counting(condition.changeCounter)
        var response = try response(to: request, route, as: transaction, counting: counting)
        if let changes = counting.changes {
            response.headers.set("etag", condition.tag(changes))
            response.headers.set("cache-control", "private, no-cache")
        }
        return response
    }

    /// Reads the number of the user's changes with the first rows that an answer needs, before them, so that a tag is
    /// never newer than its answer.
    private final class Counting {
        private let statement: SQL
        private(set) var changes: Int?

        init(_ statement: SQL) { self.statement = statement }

        func run(_ batch: [SQL], as transaction: CallerTransaction) throws(PostgresError) -> [Rows] {
            guard changes == nil else { return try transaction.run(batch) }
            let results = try transaction.run([statement] + batch)
            changes = results[0].int(0, 0) ?? 0
            return Array(results.dropFirst())
        }
    }

    private func response(
        to request: Request, _ route: NeighbourRoute, as transaction: CallerTransaction, counting: Counting?
    ) throws -> Response {
        let caller = Self.caller(transaction, counting)
        let wallabag = Wallabag(
            publicURL: services.publicURL, maximumBytes: services.responseLimit.bytes, as: caller)
        switch route {
        case .wallabag(.token):
            return try WallabagTokenEndpoint(services, database, for: request, now: now).respond(to: request)
        case .wallabag(.export(let number, .epub)):
            let book = try wallabag.link(ofFile: number)
            return try BookEndpoint().respond(to: request, book: book, as: transaction)
        case .wallabag(.export(let number, .md)):
            let link = try wallabag.link(ofFile: number)
            var response = try MarkdownEndpoint().respond(to: request, link, as: transaction)
            response.headers.set("content-disposition", "attachment; filename=\"article.md\"")
            return response
        case .wallabag(let route): return try wallabag.respond(to: request, route)
        case .linkding(let route):
            return try Linkding(publicURL: services.publicURL, as: caller).respond(to: request, route)
        }
    }

    private static func caller(_ transaction: CallerTransaction, _ counting: Counting?) -> NeighbourCaller {
        NeighbourCaller(
            onlyAdds: transaction.permission == .adding,
            read: { (batch, settings) throws(PostgresError) in
                let reading = transaction.readOnly.adding(settings)
                guard let counting else { return try reading.run(batch) }
                return try counting.run(batch, as: reading)
            },
            write: { (batch, settings) throws(PostgresError) in
                try transaction.locking(.exclusive).adding(settings).run(batch)
            })
    }
}
