import HTTP
import JSON
import Postgres
import REST
import Search

/// Reads the links of a list, and what the document about them needs to know.
struct LinkListReader {
    let list: LinkList
    /// The parsed parameter `q` with its text; nil for lists without one.
    private let search: (text: String, query: SearchQuery)?

    /// - Parameter newestFirst: whether a search without an order of its own lists the newest links first.
    /// - Throws: `SearchQueryError` for a `q` that is not a query.
    init(_ list: LinkList, _ parameters: QueryString, newestFirst: Bool) throws {
        self.list = list
        guard list == .search else {
            search = nil
            return
        }
        let text = parameters["q"] ?? ""
        var query = try SearchQuery(parsing: text)
        if newestFirst, query.order == nil { query.order = .newest }
        search = (text, query)
    }

    /// A statement with the list's name and whether its user has collections that are filled by queries; no row if the
    /// list does not exist.
    var statement: SQL {
        let smart: SQL = """
            exists (select from public.collections where user_id = auth.uid() and query is not null)
            """
        guard let named = list.nameStatement else { return "select null::text, false" }
        return "select name, " + smart + " from (" + named + ") as named"
    }

    /// The name of a tag or collection.
    ///
    /// - Parameter rows: the result of the statement.
    /// - Throws: `LibraryError.unknownList`.
    func name(_ rows: Rows?) throws(LibraryError) -> String? {
        guard let rows, rows.count > 0 else { throw .unknownList }
        return rows.text(0, 0)
    }

    func changesByItself(_ rows: Rows?) -> Bool {
        list.changesByItself(hasSmartCollections: (rows.flatMap { $0.count > 0 ? $0.bool(0, 1) : nil }) ?? false)
    }

    func title(name: String?) -> String {
        search.map { "Search: " + $0.text } ?? list.title(name: name)
    }

    /// An IRI of the list that never changes.
    func identifier(of user: String, name: String?) -> String {
        "urn:lectern:\(user):" + QueryString.encoded(list.identifier(name: name, search: search?.text ?? ""))
    }

    /// The links of the list.
    ///
    /// - Parameter request: what to read; its query is filled in here.
    func links(
        _ request: ListedLinks.Request, name: String?, as transaction: CallerTransaction, publicURL: String
    ) throws(PostgresError) -> ListedLinks {
        var request = request
        let query = search?.query ?? list.query(name: name)
        // A cursor belongs to the text of a query. Two texts that mean the same may have different cursors.
        request.query = search?.text ?? query.text
        let trees = JSON.object([.init(request.query, query.json)])
        let queries = Identity.Setting("request.queries", String(decoding: trees.bytes, as: UTF8.self))
        let rows = try transaction.adding([queries]).run([ListedLinks.statement(request)])
        return ListedLinks(rows[0], publicURL: publicURL)
    }
}
