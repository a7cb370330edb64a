import Postgres

/// A call of a function: which arguments it is given, and from where.
public struct FunctionCall: Sendable, Equatable {
    public var function: Catalog.Function
    /// Names of the arguments given, as the body or the query has them.
    var names: [String]
    /// Their values where the query has them, else they are the body's.
    var values: [String]?

    /// Takes the arguments out of a query, or sees them in the outline of a body.
    init(
        _ function: Catalog.Function, _ method: String, _ query: inout QueryString, _ body: JSONBody.Outline?
    ) throws(QueryError) {
        self.function = function
        switch method {
        case "POST":
            guard let body, body.shape == .object else { throw .badBody("A function takes its arguments as one object") }
            names = body.keys
        case "GET", "HEAD":
            guard !function.isVolatile else { throw .unsupportedMethod(method) }
            let given = query.parameters.filter { parameter in function.arguments.contains { $0.name == parameter.name } }
            query.parameters.removeAll { parameter in given.contains { $0.name == parameter.name } }
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

    /// What it answers, as a table: one of ours, or one of its own with the value as the only column.
    func result(in catalog: Catalog) throws(QueryError) -> Catalog.Table {
        switch function.result {
        case .row(let table): return try catalog.table(table)
        case .value(let type):
            return Catalog.Table(
                name: function.name, columns: [.init(name: function.name, type: type, isNullable: true)], primaryKey: [],
                uniqueKeys: [])
        case .nothing: return Catalog.Table(name: function.name, columns: [], primaryKey: [], uniqueKeys: [])
        }
    }

    /// The rows it answers, to stand behind `from`, called `name`.
    ///
    /// The names and types are those of PostgreSQL's own catalog, whatever the client wrote.
    func sql(as name: String) -> SQL {
        let arguments = names.compactMap { given in function.arguments.first { $0.name == given } }
        let call: SQL = .name("public", function.name)
        guard values == nil else {
            let list = zip(arguments, values ?? []).map { argument, value -> SQL in
                .name(argument.name) + " => cast(\(value) as " + SQL(stringLiteral: argument.type) + ")"
            }
            return call + "(" + list.joined(separator: ", ") + ") as " + .name(name)
        }
        // Even without arguments the body is bound, as the statement is filled with it.
        let record: SQL = arguments.isEmpty
            ? "(select " + .later + "::json) as _args"
            : "json_to_record(" + .later + "::json) as _args("
                + arguments.map { .name($0.name) + " " + SQL(stringLiteral: $0.type) }.joined(separator: ", ") + ")"
        let list = arguments.map { .name($0.name) + " => " + .name("_args", $0.name) as SQL }
        return record + ", lateral " + call + "(" + list.joined(separator: ", ") + ") as " + .name(name)
    }
}
