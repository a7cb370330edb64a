/// A column, or a path into the JSON it contains: `data->authors->0->>name`.
public struct Field: Sendable, Equatable {
    public var column: String
    public var path: [Step] = []

    public init(column: String) { self.column = column }

    public struct Step: Sendable, Equatable {
        public var operand: Operand
        /// `->>`: as text instead of JSON.
        public var isText: Bool
    }

    public enum Operand: Sendable, Equatable {
        case key(String)
        case index(Int)
    }

    /// The maximum number of steps of a path.
    static let maxPathSteps = 50

    /// The types that a client may cast to, by each name that SQL accepts. The type becomes part of the SQL text, so it
    /// only ever comes from this list.
    static let castable: [String: String] = {
        var types: [String: String] = [
            "int": "int4", "integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "boolean": "bool",
            "double precision": "float8", "decimal": "numeric", "character varying": "varchar",
            "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
        ]
        for type in [
            "text", "varchar", "int2", "int4", "int8", "float4", "float8", "numeric", "bool", "uuid", "date", "time",
            "timestamp", "timestamptz", "json", "jsonb",
        ] {
            types[type] = type
        }
        return types
    }()

    /// The name of the value in a response: the last key of the path, else the column.
    var name: String {
        for step in path.reversed() {
            if case .key(let key) = step.operand { return key }
        }
        return column
    }
}
