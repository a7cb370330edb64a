import HTTP
import Postgres

/// What a request on a table wants, typed: parsed once, rendered to SQL once. No I/O.
///
/// It knows the outline of a body, not its text, which the statement is filled with: one plan serves every request of
/// its words.
public struct Plan: Sendable, Equatable {
    public var table: Catalog.Table
    public var action: Action
    public var filters: [Condition] = []
    public var selection: Selection = .everything
    public var ordering = Ordering()
    public var window = Window()
    public var preferences = Preferences([])
    public var format: Format = .array
    /// HEAD: as GET, without the body.
    public var isHead = false

    public enum Action: Sendable, Equatable {
        case read
        case insert(Insert)
        case update(JSONBody.Shape, columns: [String])
        case delete
    }

    public struct Insert: Sendable, Equatable {
        public var shape: JSONBody.Shape
        /// Columns written, in the order of `columns`, else of their names.
        public var columns: [String]
        /// Columns of the conflict target; nil when no resolution was asked for.
        public var conflictTarget: [String]?
    }

    /// How the rows are answered.
    public enum Format: Sendable, Equatable {
        case array
        /// `application/vnd.pgrst.object+json`: exactly one row, or 406 and nothing changed.
        case singular

        public var contentType: String {
            switch self {
            case .array: "application/json; charset=utf-8"
            case .singular: "application/vnd.pgrst.object+json; charset=utf-8"
            }
        }
    }

    /// Whether the answer carries rows.
    public var returnsRows: Bool {
        switch action {
        case .read: true
        case .insert, .update, .delete: preferences.returns == .representation
        }
    }
}

extension Plan {
    /// Reads a request on `/rest/v1/<table>`.
    ///
    /// - Parameter body: the outline of the request's body; nil for a method that takes none.
    public init(
        _ request: Request, table name: String, body: JSONBody.Outline?, catalog: Catalog
    ) throws(QueryError) {
        let table = try catalog.table(name)
        try Self.checkProfile(request)
        let query = try QueryString(request.query)
        self.init(table: table, action: .read)
        preferences = Preferences(request.headers.values("prefer"))
        if preferences.handling == .strict, !preferences.unknown.isEmpty {
            throw .unknownPreferences(preferences.unknown)
        }
        format = try Self.format(request.headers.values("accept"))
        try readParameters(query)
        action = try Self.action(request, query, body, table, preferences)
        switch action {
        case .read:
            isHead = request.method == "HEAD"
            window = try Window(query: query, range: request.headers["range"])
            ordering = try Ordering(query["order"] ?? "")
        case .update, .delete:
            guard !filters.isEmpty else { throw .unfilteredWrite }
        case .insert:
            break
        }
    }

    /// Everything that is not one of the words below is a filter on the column of that name.
    private mutating func readParameters(_ query: QueryString) throws(QueryError) {
        for parameter in query.parameters {
            switch parameter.name {
            case "select": selection = try Selection(parameter.value, of: table)
            case "or", "and", "not.or", "not.and":
                filters.append(try FilterParser.tree(name: parameter.name, parameter.value))
            case "order", "limit", "offset", "columns", "on_conflict", "apikey": continue
            default:
                let condition = try FilterParser.filter(
                    column: Selection.unquoted(parameter.name[...]), parameter.value)
                if table.column(parameter.name) == nil, parameter.name.contains("."), parameter.name.first != "\"" {
                    throw .filterOnMissingRelation(String(parameter.name.prefix { $0 != "." }))
                }
                filters.append(condition)
            }
        }
    }

    private static func action(
        _ request: Request, _ query: QueryString, _ body: JSONBody.Outline?, _ table: Catalog.Table,
        _ preferences: Preferences
    ) throws(QueryError) -> Action {
        switch (request.method, body) {
        case ("GET", _), ("HEAD", _):
            return .read
        case ("DELETE", _):
            return .delete
        case ("POST", let body?):
            let columns = try columns(body, query, table)
            guard preferences.resolution != nil else {
                return .insert(Insert(shape: body.shape, columns: columns, conflictTarget: nil))
            }
            let named = try names(query["on_conflict"] ?? "")
            let target = named.isEmpty ? table.primaryKey : named
            guard table.uniqueKeys.contains(where: { Set($0) == Set(target) }) else { throw .noUniqueKey }
            return .insert(Insert(shape: body.shape, columns: columns, conflictTarget: target))
        case ("PATCH", let body?):
            let columns = try columns(body, query, table)
            guard body.shape == .object || body.shape == .one else { throw .badBody("PATCH takes one object") }
            return .update(body.shape, columns: columns)
        default:
            throw .unsupportedMethod(request.method)
        }
    }

    /// The columns a body writes: those of `columns`, else its keys.
    private static func columns(
        _ body: JSONBody.Outline, _ query: QueryString, _ table: Catalog.Table
    ) throws(QueryError) -> [String] {
        let named = try names(query["columns"] ?? "")
        if named.isEmpty {
            guard body.keysMatch else { throw .unequalKeys }
            // PostgreSQL has no statement for several rows of defaults, and no table of ours takes one.
            if body.keys.isEmpty, body.shape == .several { throw .badBody("Several empty objects") }
        }
        let columns = named.isEmpty ? body.keys : named
        for column in columns where table.column(column) == nil {
            throw .unknownBodyColumn(table: table.name, column: column)
        }
        return columns
    }

    /// `a,"b",c`, as `columns` and `on_conflict` have it.
    private static func names(_ text: String) throws(QueryError) -> [String] {
        var names: [String] = []
        for part in text.split(separator: ",") {
            let name = Selection.unquoted(part.trimmed)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Only `public` is exposed; both headers are taken on every verb, as clients send both.
    private static func checkProfile(_ request: Request) throws(QueryError) {
        for header in ["accept-profile", "content-profile"] {
            if let profile = request.headers[header], profile != "public", profile != "" {
                throw .unknownSchema(profile)
            }
        }
    }

    private static func format(_ accept: [String]) throws(QueryError) -> Format {
        let types = accept.flatMap { $0.split(separator: ",") }
            .map { String(($0.split(separator: ";").first ?? "").trimmed).lowercased() }
            .filter { !$0.isEmpty }
        if types.isEmpty { return .array }
        for type in types {
            switch type {
            case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object": return .singular
            case "application/json", "application/vnd.pgrst.array+json", "application/vnd.pgrst.array", "*/*",
                "application/*":
                return .array
            default: continue
            }
        }
        throw .notAcceptable(types.joined(separator: ", "))
    }
}
