/// A path below `/opds` or `/opds/t/<feed token>`: a page of the catalog for e-readers.
public struct OPDSRoute: Equatable, Sendable {
    enum Page: Equatable, Sendable {
        case root, tags, collections
        case books(LinkList)
        case searchDescription
        /// The books of several articles.
        case madeBooks
        /// A book or its cover, for a request with a token in its path. Others are below `/books/`.
        case book(RowID, BookFileType)
    }

    /// The personal API token in the path, if there is one.
    public let token: String?
    let page: Page

    /// Nil if the segments behind `/opds` name no page.
    ///
    /// - Parameter segments: percent-decoded.
    init?(_ segments: [String]) {
        var rest = segments[...]
        if rest.first == "t", rest.count >= 2 {
            token = rest[rest.startIndex + 1]
            rest = rest.dropFirst(2)
        } else {
            token = nil
        }
        if rest == [""] { rest = [] }
        switch (rest.first, rest.dropFirst().first, rest.count) {
        case (nil, _, _): page = .root
        case ("unread", _, 1): page = .books(.unread)
        case ("archive", _, 1): page = .books(.archive)
        case ("starred", _, 1): page = .books(.starred)
        case ("newest", _, 1): page = .books(.newest)
        case ("search", _, 1): page = .books(.search)
        case ("opensearch.xml", _, 1): page = .searchDescription
        case ("tags", _, 1): page = .tags
        case ("collections", _, 1): page = .collections
        case ("tags", let name?, 2):
            guard let id = RowID(name) else { return nil }
            page = .books(.tag(.id(id)))
        case ("collections", let name?, 2):
            guard let id = RowID(name) else { return nil }
            page = .books(.collection(id))
        case ("books", _, 1): page = .madeBooks
        case ("books", let name?, 2) where token != nil:
            guard let (file, id) = BookFileType.parse(name) else { return nil }
            page = .book(id, file)
        default: return nil
        }
    }
}
