import HTTP
import Postgres

/// A request for a table or a function, parsed and checked against the catalog. Making and rendering it is pure.
///
/// A plan depends on the outline of the body, not on its text, which is bound later. So one plan serves all requests
/// that differ only in the values of their bodies.
public struct Plan: Sendable, Equatable {
    public var reading: ReadPlan
    public var action: Action
    public var preferences = Preferences([])
    public var media = MediaType(kind: .array)
    /// HEAD: like GET, but without the body.
    public var isHead = false
    /// Where a read can be repeated: the table with the query in a canonical form. Nil for other requests, and for a
    /// query too long for a header.
    public var contentLocation: String?
    public var responseLimit = ResponseLimit()

    var table: Catalog.Table { reading.table }

    public enum Action: Sendable, Equatable {
        case read
        case insert(Insert)
        case update(JSONBody.Shape, columns: [String])
        case delete
        case call(FunctionCall)
    }

    public struct Insert: Sendable, Equatable {
        public var shape: JSONBody.Shape
        /// The columns to write, in the order of the parameter `columns`, else sorted.
        public var columns: [String]
        /// The columns of the conflict target; nil without a preference `resolution`.
        public var conflictTarget: [String]?
        /// `missing=default`: a missing member becomes the column's default instead of null.
        public var fillsDefaults = false
        /// PUT: one row with the key of the filters.
        public var isPut = false
    }

    /// Whether the response contains rows.
    public var returnsRows: Bool {
        switch action {
        case .read: true
        case .insert, .update, .delete: preferences.returns == .representation
        case .call(let call): call.function.result != .nothing
        }
    }

    /// Whether the change counter tells of every change of the rows that the plan reads.
    public var isCounted: Bool { reading.isCounted }

    /// Whether the plan inserts rows and updates existing ones.
    public var isMerging: Bool {
        if case .insert = action { preferences.resolution == .mergeDuplicates } else { false }
    }

    /// The same write, whose response has only these columns of its rows, whatever the query asks for. Filters,
    /// embedded relations and conflict targets are dropped too, because what they leave out or change tells something
    /// as well.
    public func telling(only columns: [String]) -> Plan {
        var plan = self
        plan.reading = ReadPlan(columns: columns, of: table)
        plan.preferences.resolution = nil
        if case .insert(var insert) = action {
            insert.conflictTarget = nil
            plan.action = .insert(insert)
        }
        return plan
    }

    /// Whether the plan changes nothing. It may then be repeated and run in a read-only transaction.
    public var isRead: Bool {
        switch action {
        case .read: true
        case .call(let call): !call.function.isVolatile
        default: false
        }
    }
}

/// The table or function that a path below `/rest/v1/` names.
public enum Resource: Sendable, Hashable {
    case table(String)
    /// After `rpc/`.
    case function(String)
}

extension Plan {
    /// - Parameter body: the outline of the request's body; nil for a method without a body.
    public init(
        _ request: Request, _ resource: Resource, body: JSONBody.Outline?, catalog: Catalog
    ) throws(QueryError) {
        switch resource {
        case .table(let name): try self.init(request, table: name, body: body, catalog: catalog)
        case .function(let name): try self.init(request, function: name, body: body, catalog: catalog)
        }
    }

    private init(
        _ request: Request, table name: String, body: JSONBody.Outline?, catalog: Catalog
    ) throws(QueryError) {
        let table = try catalog.table(name)
        try Self.checkProfile(request)
        let query = try QueryString(request.query)
        var reading = try ReadPlan(try Selection(query["select"] ?? ""), of: table, in: catalog)
        for parameter in query.parameters where !Self.reservedParameters.contains(parameter.name) {
            try reading.apply(parameter)
        }
        preferences = try Self.preferences(request)
        media = try MediaType(request.headers.values("accept"))
        isHead = request.method == "HEAD"
        action = try Self.action(request, query, body, table, preferences)
        switch action {
        case .read, .call:
            if let range = request.headers["range"] { try reading.range.narrow(range: range) }
            contentLocation = Self.contentLocation(of: table, query)
        case .update, .delete:
            // A write does not read embedded relations before it changes rows, so it would change too many.
            for embedded in reading.embedded where embedded.mustExist != nil {
                throw .unknownColumn(table: table.name, column: embedded.name)
            }
            guard !reading.filters.isEmpty else { throw .unfilteredWrite }
        case .insert(let insert):
            if insert.isPut { try Self.checkPut(reading) }
        }
        if action != .read { reading.range = RowRange() }
        self.reading = reading
    }

    private init(
        _ request: Request, function name: String, body: JSONBody.Outline?, catalog: Catalog
    ) throws(QueryError) {
        guard let function = catalog.functions[name] else { throw .unknownFunction(name, arguments: []) }
        try Self.checkProfile(request)
        var query = try QueryString(request.query)
        let call = try FunctionCall(function, request.method, &query, body)
        var reading = try ReadPlan(try Selection(query["select"] ?? ""), of: try call.result(in: catalog), in: catalog)
        try call.check(reading)
        for parameter in query.parameters where !Self.reservedParameters.contains(parameter.name) {
            try reading.apply(parameter)
        }
        if let range = request.headers["range"] { try reading.range.narrow(range: range) }
        preferences = try Self.preferences(request)
        media = try MediaType(request.headers.values("accept"))
        isHead = request.method == "HEAD"
        action = .call(call)
        self.reading = reading
    }

    private static func preferences(_ request: Request) throws(QueryError) -> Preferences {
        let preferences = Preferences(request.headers.values("prefer"))
        if preferences.handling == .strict, !preferences.unknown.isEmpty {
            throw .unknownPreferences(preferences.unknown)
        }
        return preferences
    }

    /// The parameters that are not filters. `order`, `limit`, `offset` and logic trees are not here, because embedded
    /// tables have them too.
    private static let reservedParameters: Set<String> = ["select", "columns", "on_conflict", "apikey"]

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
            var insert = Insert(shape: body.shape, columns: try columns(body, query, table))
            insert.fillsDefaults = preferences.missing == .default
            if preferences.resolution != nil {
                let target =
                    try query["on_conflict"].map { named throws(QueryError) in
                        try Selection.names(named, of: "on_conflict")
                    } ?? table.primaryKey
                guard table.uniqueKeys.contains(where: { Set($0) == Set(target) }) else { throw .noUniqueKey }
                insert.conflictTarget = target
            }
            return .insert(insert)
        case ("PUT", let body?):
            guard body.shape == .object || body.shape == .one else {
                throw .badBody("The body of a PUT must be one object")
            }
            var insert = Insert(
                shape: body.shape, columns: try columns(body, query, table), conflictTarget: table.primaryKey)
            insert.fillsDefaults = preferences.missing == .default
            insert.isPut = true
            return .insert(insert)
        case ("PATCH", let body?):
            let columns = try columns(body, query, table)
            guard body.shape == .object || body.shape == .one else {
                throw .badBody("The body of a PATCH must be one object")
            }
            return .update(body.shape, columns: columns)
        default:
            throw .unsupportedMethod(request.method)
        }
    }

    /// The columns to write: those of the parameter `columns`, else the keys of the body.
    private static func columns(
        _ body: JSONBody.Outline, _ query: QueryString, _ table: Catalog.Table
    ) throws(QueryError) -> [String] {
        let columns: [String]
        if let named = query["columns"] {
            columns = try Selection.names(named, of: "columns")
        } else {
            guard body.keysMatch else { throw .unequalKeys }
            // PostgreSQL has no statement that inserts several rows of defaults.
            if body.keys.isEmpty, body.shape == .several { throw .badBody("The body contains several empty objects") }
            columns = body.keys
        }
        for column in columns where table.column(column) == nil {
            throw .unknownBodyColumn(table: table.name, column: column)
        }
        return columns
    }

    /// `/table?query`, at most two thousand bytes of it: the whole header of a response must fit into one buffer of the
    /// web server.
    private static func contentLocation(of table: Catalog.Table, _ query: QueryString) -> String? {
        // The key is a secret, and no part of the resource's name.
        let canonical = query.canonical(without: "apikey")
        let location = "/" + QueryString.encoded(table.name) + (canonical.isEmpty ? "" : "?" + canonical)
        return location.utf8.count <= 2_000 ? location : nil
    }

    /// Checks that the filters of a PUT are exactly the primary key.
    private static func checkPut(_ reading: ReadPlan) throws(QueryError) {
        guard reading.range == RowRange() else { throw .rangeOfPut }
        let columns = reading.filters.compactMap { condition -> String? in
            guard case .term(let filter) = condition, case .compare(.eq, _) = filter.test, filter.field.path.isEmpty
            else { return nil }
            return filter.field.column
        }
        guard columns.count == reading.filters.count, !columns.isEmpty,
            columns.sorted() == reading.table.primaryKey.sorted()
        else { throw .filtersOfPut }
    }

    /// Only schema `public` is exposed. Clients send both headers with every method.
    private static func checkProfile(_ request: Request) throws(QueryError) {
        for header in ["accept-profile", "content-profile"] {
            if let profile = request.headers[header], profile != "public", profile != "" {
                throw .unknownSchema(profile)
            }
        }
    }
}
