import Feeds

/// The URLs of the catalog. Those of a request with a token in its path have the token in theirs.
struct OPDSAddresses {
    let root: String
    private let books: String

    /// - Parameter token: of the path.
    init(publicURL: String, token: String?) {
        root = publicURL + "/opds" + (token.map { "/t/" + $0 } ?? "")
        books = (token == nil ? publicURL : root) + "/books/"
    }

    var searchDescription: String { root + "/opensearch.xml" }

    /// - Parameter id: of a link or of a book of several articles.
    func book(_ id: String) -> String { books + id + "." + BookFileType.book.rawValue }

    /// - Parameter id: of a link or of a book of several articles.
    func cover(_ id: String) -> String { books + id + "." + BookFileType.cover.rawValue }

    func of(_ this: String, up: String?, next: String? = nil) -> OPDSCatalog.Addresses {
        .init(this: this, start: root, up: up, next: next, search: searchDescription)
    }

    /// The page that leads to a list.
    func above(_ list: LinkList) -> String {
        switch list {
        case .tag: root + "/tags"
        case .collection: root + "/collections"
        default: root
        }
    }
}

extension LinkList {
    /// The path of the list's page below the root of the catalog.
    var catalogPath: String {
        switch self {
        case .unread: "unread"
        case .archive: "archive"
        case .starred: "starred"
        case .newest: "newest"
        case .search: "search"
        case .tag(.id(let id)): "tags/" + id.text
        // The catalog names tags by their ids only.
        case .tag(.name): "tags"
        case .collection(let id): "collections/" + id.text
        }
    }
}
