import JSON

/// A table whose changes can be subscribed to.
public struct Table: Sendable, Equatable {
    public var name: String
    /// The array `columns` of messages: names with PostgreSQL's short names of the types, by which supabase-js converts
    /// values.
    let columns: [UInt8]
    private let types: [String: ColumnType]

    public struct Column: Sendable {
        public var name: String
        /// PostgreSQL's short name of the type, such as `uuid` or `_text`.
        public var type: String
        public var isEnum: Bool

        public init(name: String, type: String, isEnum: Bool = false) {
            self.name = name
            self.type = type
            self.isEnum = isEnum
        }
    }

    public init(name: String, columns: [Column]) {
        self.name = name
        self.columns =
            JSON.array(
                columns.map { .object([.init("name", .string($0.name)), .init("type", .string($0.type))]) }
            ).bytes
        types = Dictionary(
            columns.map { ($0.name, ColumnType(name: $0.type, isEnum: $0.isEnum)) }, uniquingKeysWith: { $1 })
    }

    /// The type of a column; nil if there is no such column.
    func type(of column: String) -> ColumnType? { types[column] }
}

/// The tables whose changes can be subscribed to, by name.
public struct Tables: Sendable, Equatable {
    private let tables: [String: Table]

    public init(_ tables: [Table]) {
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    public subscript(_ name: String) -> Table? { tables[name] }
}
