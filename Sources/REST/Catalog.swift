import FoundationEssentials
import Postgres

/// What the database offers to clients: the tables of schema `public`, read once from PostgreSQL's own catalog, so
/// that a new table needs no line of Swift.
public struct Catalog: Sendable, Equatable {
    public var tables: [String: Table]

    public init(tables: [Table]) {
        self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    }

    public struct Table: Sendable, Equatable, Decodable {
        public var name: String
        /// In the table's order.
        public var columns: [Column]
        public var primaryKey: [String]
        /// Column sets of unique constraints, the primary key among them.
        public var uniqueKeys: [[String]]

        public init(name: String, columns: [Column], primaryKey: [String], uniqueKeys: [[String]]) {
            self.name = name
            self.columns = columns
            self.primaryKey = primaryKey
            self.uniqueKeys = uniqueKeys
        }

        public func column(_ name: String) -> Column? { columns.first { $0.name == name } }
    }

    public struct Column: Sendable, Equatable, Decodable {
        public var name: String
        /// PostgreSQL's short name of the type, such as `uuid`, `text`, `timestamptz`, `_text`.
        public var type: String
        public var isNullable: Bool

        public init(name: String, type: String, isNullable: Bool) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
        }
    }

    /// - Throws: `unknownTable` for a name that is not there; the same for tables of other schemas.
    public func table(_ name: String) throws(QueryError) -> Table {
        guard let table = tables[name] else { throw .unknownTable(name) }
        return table
    }

    /// The statement that reads the catalog: one row, one cell of JSON.
    public static let query: SQL = """
        select coalesce(json_agg(json_build_object(
            'name', c.relname,
            'columns', (
                select json_agg(json_build_object(
                    'name', a.attname, 'type', t.typname, 'isNullable', not a.attnotnull) order by a.attnum)
                from pg_attribute a join pg_type t on t.oid = a.atttypid
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            ),
            'primaryKey', coalesce((
                select json_agg(a.attname order by array_position(k.conkey, a.attnum))
                from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
                where k.conrelid = c.oid and k.contype = 'p'
            ), '[]'),
            'uniqueKeys', coalesce((
                select json_agg((
                    select json_agg(a.attname order by array_position(k.conkey, a.attnum))
                    from pg_attribute a where a.attrelid = c.oid and a.attnum = any (k.conkey)
                ))
                from pg_constraint k
                where k.conrelid = c.oid and k.contype in ('p', 'u')
            ), '[]')
        )), '[]')
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
        """

    /// The catalog from the answer of `query`.
    public init(json: String) throws {
        self.init(tables: try JSONDecoder().decode([Table].self, from: Data(json.utf8)))
    }
}
