import Feeds
import HTTP
import REST

/// Answers `/feed/t/<feed token>/…`: lists of links for feed readers.
struct FeedsEndpoint {
    let publicURL: String
    /// The fingerprint of the database's schema.
    let schema: String
    let documents: DocumentCache
    let responseLimit: ResponseLimit

    private static let maximumLimit = 200
    private static let defaultLimit = 50

    func respond(to request: Request, _ route: FeedRoute, as transaction: CallerTransaction) throws -> Response {
        let parameters = try QueryString(request.query)
        let limit = try Self.limit(parameters["limit"])
        let reader = try LinkListReader(route.list, parameters, newestFirst: true)
        let document = LibraryDocument(request, as: transaction, schema: schema, cache: documents)
        return try document.respond(
            contentType: { _ in route.format == .atom ? AtomFeed.contentType : JSONFeed.contentType },
            beside: reader.statement, changesByItself: reader.changesByItself
        ) { rows in
            let name = try reader.name(rows)
            // Markup grows when it is escaped, so articles may take half of a response.
            // Atom has no place for the picture of an entry.
            let listed = try reader.links(
                .init(
                    query: "", limit: limit, hasPictures: route.format == .json, articleBytes: responseLimit.bytes / 2),
                name: name, as: document.transaction, publicURL: publicURL)
            let feed = Feed(
                id: reader.identifier(of: transaction.caller.userID ?? "", name: name),
                title: "Lectern: " + reader.title(name: name),
                address: publicURL + request.path + (request.query.isEmpty ? "" : "?" + request.query),
                homePage: publicURL + "/", entries: listed.links.map(\.entry))
            return route.format == .atom ? AtomFeed(feed).bytes : JSONFeed(feed).bytes
        }
    }

    private static func limit(_ text: String?) throws(LibraryError) -> Int {
        guard let text else { return defaultLimit }
        guard text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let limit = Int(text),
            (1...maximumLimit).contains(limit)
        else { throw .badLimit(text, maximum: maximumLimit) }
        return limit
    }
}
