import Postgres

/// A call of a function, with its arguments and where they come from.
public struct FunctionCall: Sendable, Equatable {
    public var function: Catalog.Function
    /// The names of the arguments in the body or the query, in their order.
    var names: [String]
    /// The values of the arguments when they come from the query; nil when they come from the body.
    var values: [String]?

    /// Takes the arguments from the outline of the body for POST, or removes them from the query for GET and HEAD.
    init(
        _ function: Catalog.Function, _ method: String, _ query: inout QueryString, _ body: JSONBody.Outline?
    ) throws(QueryError) {
        self.function = function
        switch method {
        case "POST":
            guard let body, body.shape == .object else {
                throw .badBody("The body must be one JSON object with the arguments of the function")
            }
            names = body.keys
        case "GET", "HEAD":
            guard !function.isVolatile else { throw .unsupportedMethod(method) }
            // The first parameter of a name is the argument; another is a filter of the column of that name.
            var unset = Set(function.arguments.map(\.name))
            var given: [QueryString.Parameter] = []
            var filters: [QueryString.Parameter] = []
            for parameter in query.parameters {
                if unset.remove(parameter.name) != nil { given.append(parameter) } else { filters.append(parameter) }
            }
            query.parameters = filters
            names = given.map(\.name)
            values = given.map(\.value)
        default:
            throw .unsupportedMethod(method)
        }
        let known = Set(function.arguments.map(\.name))
        let missing = function.arguments.contains { $0.isRequired && !names.contains($0.name) }
        guard !missing, Set(names).isSubset(of: known), Set(names).count == names.count else {
            throw .unknownFunction(function.name, arguments: names)
        }
    }

    /// The value of an argument that the query of the request gives; nil for another one.
    public func queryValue(of argument: String) -> String? {
        guard let values, let index = names.firstIndex(of: argument) else { return nil }
        return values[index]
    }

    /// The result as a table: a table of the catalog, or one named after the function, with the columns of its rows or
    /// the value as its only column.
    func result(in catalog: Catalog) throws(QueryError) -> Catalog.Table {
        func table(_ columns: [Catalog.Column]) -> Catalog.Table {
            Catalog.Table(name: function.name, columns: columns, primaryKey: [], uniqueKeys: [])
        }
        switch function.result {
        case .row(let name): return try catalog.table(name)
        case .record(let columns): return table(columns)
        case .value(let type): return table([.init(name: function.name, type: type, isNullable: true)])
        case .nothing: return table([])
        }
    }

    /// Checks that a selection contains the value of a function that returns one.
    func check(_ reading: ReadPlan) throws(QueryError) {
        guard case .value = function.result, !reading.names.contains(function.name) else { return }
        throw .unknownColumn(table: function.name, column: reading.names.first ?? "")
    }

    /// The result as an item of a `from` clause with the alias `name`.
    ///
    /// The names and types in the SQL text come from PostgreSQL's catalog, never from the client.
    func sql(as name: String) -> SQL {
        let arguments = names.compactMap { given in function.arguments.first { $0.name == given } }
        let call: SQL = .name("public", function.name)
        guard values == nil else {
            let list = zip(arguments, values ?? []).map { argument, value -> SQL in
                .name(argument.name) + " => cast(\(value) as " + SQL(stringLiteral: argument.type) + ")"
            }
            return call + "(" + list.joined(separator: ", ") + ") as " + .name(name)
        }
        // The body is bound also for a function without arguments, because the statement is filled with it.
        let record: SQL =
            arguments.isEmpty
            ? "(select " + .deferred + "::json) as _args"
            : "json_to_record(" + .deferred + "::json) as _args("
                + arguments.map { .name($0.name) + " " + SQL(stringLiteral: $0.type) }.joined(separator: ", ") + ")"
        let list = arguments.map { .name($0.name) + " => " + .name("_args", $0.name) as SQL }
        return record + ", lateral " + call + "(" + list.joined(separator: ", ") + ") as " + .name(name)
    }
}
