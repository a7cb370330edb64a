import Auth
import Crypto
import HTTP
import Postgres
import REST

/// Answers with a document made of the caller's rows, or with 304 if the client has it already.
struct LibraryDocument {
    let request: Request
    let transaction: CallerTransaction
    private let condition: ConditionalRead
    private let cache: DocumentCache

    /// - Parameters:
    ///   - schema: the fingerprint of the database's schema.
    ///   - cache: for this schema.
    init(_ request: Request, as transaction: CallerTransaction, schema: String, cache: DocumentCache) {
        self.request = request
        self.cache = cache
        self.transaction = transaction.readOnly
        condition = ConditionalRead(
            ofDocument: [transaction.caller.userID ?? "", request.path, request.query, schema])
    }

    /// Answers with a document that changes by writes of the user only.
    ///
    /// - Parameters:
    ///   - beside: a statement that runs with the one that reads the number of changes.
    ///   - changesByItself: whether the document may change without such a write, by the rows of `beside`. The tag is then
    ///     made of the document itself.
    ///   - make: makes the document from the rows of `beside`.
    func respond(
        contentType: (Rows?) -> String, beside: SQL? = nil, changesByItself: (Rows?) -> Bool = { _ in false },
        make: (Rows?) throws -> [UInt8]
    ) throws -> Response {
        // The number is read before the rows, so a tag is never newer than its document.
        let results = try transaction.run([condition.changeCounter] + (beside.map { [$0] } ?? []))
        let rows = beside == nil ? nil : results[1]
        let changes = results[0].int(0, 0) ?? 0
        let isCounted = !changesByItself(rows)
        if isCounted, condition.counter(in: request.headers) == changes {
            return Self.notModified(condition.tag(changes))
        }
        let body = try isCounted ? keptBody(changes) { try make(rows) } : make(rows)
        let tag = isCounted ? condition.tag(changes) : "W/\"\(Digest.hex(Digest.sha256(body)).prefix(32))\""
        if !isCounted, Self.tags(in: request.headers).contains(tag) { return Self.notModified(tag) }
        return Response(
            status: 200,
            headers: ["content-type": contentType(rows), "etag": tag, "cache-control": Self.caching], body: body)
    }

    /// The document as it was made at this number of changes, or made now.
    private func keptBody(_ changes: Int, make: () throws -> [UInt8]) throws -> [UInt8] {
        guard let user = transaction.caller.userID else { return try make() }
        let key = DocumentCache.Key(user: user, path: request.path, query: request.query)
        if let body = cache.body(key, changes: changes) { return body }
        let body = try make()
        cache.keep(body, key, changes: changes)
        return body
    }

    /// Shared caches must not store the document, and its owner's client asks each time.
    private static let caching = "private, no-cache"

    private static func notModified(_ tag: String) -> Response {
        Response(status: 304, headers: ["etag": tag, "cache-control": caching])
    }

    /// The tags that the client has, all as weak ones.
    private static func tags(in headers: Headers) -> [String] {
        headers.values("if-none-match").flatMap { $0.split(separator: ",") }.map { tag in
            let tag = String(tag.drop { $0 == " " })
            return tag.hasPrefix("W/") ? tag : "W/" + tag
        }
    }
}
