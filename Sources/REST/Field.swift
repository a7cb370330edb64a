import Postgres

/// A column, or a way into the JSON it holds: `data->authors->0->>name`.
public struct Field: Sendable, Equatable {
    public var column: String
    public var path: [Step] = []

    public struct Step: Sendable, Equatable {
        public var operand: Operand
        /// `->>`: as text, not as JSON.
        public var isText: Bool
    }

    public enum Operand: Sendable, Equatable {
        case key(String)
        case index(Int)
    }

    static let longestPath = 50

    /// Types a client may cast to, by every name SQL has for them: a cast stands in SQL as it is, so it comes from this
    /// list only.
    static let castable: [String: String] = {
        var types: [String: String] = [
            "int": "int4", "integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "boolean": "bool",
        ]
        for type in [
            "text", "varchar", "int2", "int4", "int8", "float4", "float8", "numeric", "bool", "uuid", "date", "time",
            "timestamp", "timestamptz", "json", "jsonb",
        ] {
            types[type] = type
        }
        return types
    }()

    /// The name of its value in an answer: the last key, else the column.
    var name: String {
        for step in path.reversed() {
            if case .key(let key) = step.operand { return key }
        }
        return column
    }

    /// - Parameter scope: the rows it is a field of.
    func sql(in scope: Scope) throws(QueryError) -> SQL {
        guard let known = scope.table.column(column) else {
            throw .unknownColumn(table: scope.table.name, column: column)
        }
        var sql = SQL.name(scope.name, column)
        guard !path.isEmpty else { return sql }
        if !["json", "jsonb"].contains(known.type) { sql = "to_jsonb(" + sql + ")" }
        for step in path {
            sql += step.isText ? "->>" : "->"
            switch step.operand {
            case .key(let key): sql += "\(key)::text"
            case .index(let index): sql += "\(literal: index)"
            }
        }
        return "(" + sql + ")"
    }
}

/// A table's rows under the name they have at one place of a statement.
struct Scope {
    var table: Catalog.Table
    var name: String
}
