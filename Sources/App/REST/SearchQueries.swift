import HTTP
import JSON
import Postgres
import REST
import Search

/// The search queries of a request: the argument `query` of a function, and the column `query` of a write to a table
/// whose rows hold queries.
///
/// The worker parses them, and the functions and triggers of the database find the trees in a setting: an object that
/// maps the text of a query to its tree.
struct SearchQueries {
    /// The settings of the transaction; none for a request without a query.
    let settings: [Identity.Setting]

    /// The name of the argument and of the column.
    private static let name = "query"
    private static let tables: Set = ["collections", "rules"]

    /// - Throws: `SearchQueryError` for a text that is not a query.
    init(_ request: PlannedRequest) throws(SearchQueryError) {
        var trees: [JSON.Member] = []
        for text in Set(Self.texts(in: request)).sorted() {
            trees.append(.init(text, try SearchQuery(parsing: text).json))
        }
        settings =
            trees.isEmpty
            ? [] : [.init("request.queries", String(decoding: JSON.object(trees).bytes, as: UTF8.self))]
    }

    private static func texts(in request: PlannedRequest) -> [String] {
        switch request.plan.action {
        case .call(let call) where call.function.arguments.contains(where: { $0.name == name }):
            if let text = call.queryValue(of: name) { return [text] }
        case .insert, .update:
            guard tables.contains(request.plan.reading.table.name) else { return [] }
        default:
            return []
        }
        guard let body = request.body, let value = JSON(parsing: body.utf8) else { return [] }
        return (value.array ?? [value]).compactMap { text(of: $0[name]) }
    }

    private static func text(of value: JSON?) -> String? {
        switch value {
        case .string(let text): text
        // PostgreSQL makes a text of these.
        case .number, .bool: value.map { String(decoding: $0.bytes, as: UTF8.self) }
        case .null, .array, .object, nil: nil
        }
    }
}

extension SearchQueryError: APIError {
    public var status: Int { 400 }
    public var code: String { "LT400" }
    public var details: String? { "The error is at character \(place) of the query." }
}
