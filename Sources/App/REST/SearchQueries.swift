import HTTP
import JSON
import Postgres
import REST
import Search

/// The search query of a request: the argument `query` of a function.
///
/// The worker parses it, and the functions of the database find the tree in a setting: an object that maps the text of
/// a query to its tree.
struct SearchQueries {
    /// The settings of the transaction; none for a request without a query.
    let settings: [Identity.Setting]

    /// The name of the argument.
    private static let name = "query"

    /// - Throws: `SearchQueryError` for a text that is not a query.
    init(_ request: PlannedRequest) throws(SearchQueryError) {
        guard let text = Self.text(in: request) else {
            settings = []
            return
        }
        let trees = JSON.object([.init(text, try SearchQuery(parsing: text).json)])
        settings = [.init("request.queries", String(decoding: trees.bytes, as: UTF8.self))]
    }

    private static func text(in request: PlannedRequest) -> String? {
        guard case .call(let call) = request.plan.action, call.function.arguments.contains(where: { $0.name == name })
        else { return nil }
        if let text = call.queryValue(of: name) { return text }
        guard let body = request.body, let value = JSON(parsing: body.utf8)?[name] else { return nil }
        return switch value {
        case .string(let text): text
        // PostgreSQL makes a text of these.
        case .number, .bool: String(decoding: value.bytes, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }
}

extension SearchQueryError: APIError {
    public var status: Int { 400 }
    public var code: String { "LT400" }
    public var details: String? { "The error is at character \(place) of the query." }
}
