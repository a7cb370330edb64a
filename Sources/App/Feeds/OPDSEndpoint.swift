import Feeds
import HTTP
import Postgres
import REST

/// Answers `/opds` and `/opds/t/<feed token>`: the catalog for e-readers.
struct OPDSEndpoint {
    let publicURL: String
    /// The fingerprint of the database's schema.
    let schema: String
    let documents: DocumentCache

    private static let pageSize = 50

    func respond(to request: Request, _ route: OPDSRoute, as transaction: CallerTransaction) throws -> Response {
        let addresses = OPDSAddresses(publicURL: publicURL, token: route.token)
        let user = transaction.caller.userID ?? ""
        let document = LibraryDocument(request, as: transaction, schema: schema, cache: documents)
        switch route.page {
        case .root: return try navigation(.root, user, addresses, document)
        case .tags: return try navigation(.tags, user, addresses, document)
        case .collections: return try navigation(.collections, user, addresses, document)
        case .searchDescription: return Self.searchDescription(addresses, publicURL)
        case .book(let id, let file):
            return try BookEndpoint().respond(to: request, book: id.text, file, as: transaction)
        case .madeBooks: return try madeBooks(user, addresses, document)
        case .books(let list): return try books(list, user, addresses, document)
        }
    }

    private func navigation(
        _ page: OPDSNavigation, _ user: String, _ addresses: OPDSAddresses, _ document: LibraryDocument
    ) throws -> Response {
        try document.respond(contentType: { _ in page.contentType }, beside: page.statement) { rows in
            page.catalog(rows, user: user, addresses).bytes
        }
    }

    private func madeBooks(
        _ user: String, _ addresses: OPDSAddresses, _ document: LibraryDocument
    ) throws -> Response {
        let page = try MadeBooksPage(QueryString(document.request.query)["page"])
        // The server makes books without counting a change of the user.
        return try document.respond(
            contentType: { _ in OPDSCatalog.Kind.acquisition.type + ";charset=utf-8" }, beside: page.statement,
            changesByItself: { _ in true }
        ) { rows in
            page.catalog(rows, user: user, addresses).bytes
        }
    }

    private static func searchDescription(_ addresses: OPDSAddresses, _ publicURL: String) -> Response {
        let description = SearchDescription(
            "Search your saved articles", icon: publicURL + "/icon.svg", address: addresses.searchDescription,
            results: (OPDSCatalog.Kind.acquisition.type, addresses.root + "/search?q={searchTerms}"))
        return Response(
            status: 200, headers: ["content-type": SearchDescription.type, "cache-control": "private, max-age=3600"],
            body: description.bytes)
    }

    private func books(
        _ list: LinkList, _ user: String, _ addresses: OPDSAddresses, _ document: LibraryDocument
    ) throws -> Response {
        let parameters = try QueryString(document.request.query)
        let reader = try LinkListReader(list, parameters, newestFirst: false)
        let this = addresses.root + "/" + list.catalogPath
        let search = list == .search ? "q=" + QueryString.encoded(parameters["q"] ?? "") + "&" : ""
        return try document.respond(
            contentType: { _ in OPDSCatalog.Kind.acquisition.type + ";charset=utf-8" }, beside: reader.statement,
            changesByItself: reader.changesByItself
        ) { rows in
            let name = try reader.name(rows)
            let listed = try reader.links(
                .init(query: "", limit: Self.pageSize, cursor: parameters["cursor"], onlyWithArticle: true), name: name,
                as: document.transaction, publicURL: publicURL)
            let query = document.request.query
            return OPDSCatalog(
                id: reader.identifier(of: user, name: name), title: reader.title(name: name),
                addresses: addresses.of(
                    this + (query.isEmpty ? "" : "?" + query), up: addresses.above(list),
                    next: listed.next.map { this + "?" + search + "cursor=" + $0 }),
                content: .publications(
                    listed.links.map {
                        Publication(
                            $0.entry, book: addresses.book($0.entry.id), cover: addresses.cover($0.entry.id),
                            publisher: $0.siteName, issued: $0.issued)
                    })
            ).bytes
        }
    }
}
