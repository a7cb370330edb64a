import FoundationEssentials
import Postgres

/// The tables and functions of schema `public` that clients may use. They are read from PostgreSQL's system catalog, so
/// a new table or function needs no Swift code.
public struct Catalog: Sendable, Equatable {
    public var tables: [String: Table]
    public var functions: [String: Function]

    public init(tables: [Table], functions: [Function] = []) {
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.functions = Dictionary(functions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public struct Table: Sendable, Equatable, Decodable {
        public var name: String
        /// The table's comment, for the description of the API.
        public var comment: String?
        /// In the order of the table.
        public var columns: [Column]
        public var primaryKey: [String]
        /// The column sets of unique constraints, including the primary key.
        public var uniqueKeys: [[String]]
        /// Foreign keys that reference tables of the same schema.
        public var foreignKeys: [ForeignKey]
        /// The views of schema `rest` that reads use in place of the table, because they have computed rows beside its
        /// own: `<table>`, and `<table>_by_<column>` for rows that are joined by this column.
        public var views: [String]
        /// Whether every change of its rows increments its user's change counter (sql/schema/change_counters.sql).
        public var isCounted: Bool

        public struct ForeignKey: Sendable, Equatable, Decodable {
            public var name: String
            public var columns: [String]
            public var target: String
            public var targetColumns: [String]

            public init(name: String, columns: [String], target: String, targetColumns: [String]) {
                self.name = name
                self.columns = columns
                self.target = target
                self.targetColumns = targetColumns
            }
        }

        public init(
            name: String, columns: [Column], primaryKey: [String], uniqueKeys: [[String]],
            foreignKeys: [ForeignKey] = [], views: [String] = [], isCounted: Bool = true
        ) {
            self.name = name
            self.columns = columns
            self.primaryKey = primaryKey
            self.uniqueKeys = uniqueKeys
            self.foreignKeys = foreignKeys
            self.views = views
            self.isCounted = isCounted
        }

        public func column(_ name: String) -> Column? { columns.first { $0.name == name } }
    }

    public struct Column: Sendable, Equatable, Decodable {
        public var name: String
        /// PostgreSQL's short name of the type, such as `uuid`, `text`, `timestamptz`, `_text`.
        public var type: String
        public var isNullable: Bool
        /// The default as an SQL expression from PostgreSQL's catalog; nil without a default.
        public var defaultExpression: String?
        public var comment: String?

        public init(
            name: String, type: String, isNullable: Bool, defaultExpression: String? = nil, comment: String? = nil
        ) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.defaultExpression = defaultExpression
            self.comment = comment
        }
    }

    /// A function, called by `/rest/v1/rpc/<name>`.
    public struct Function: Sendable, Equatable, Decodable {
        public var name: String
        public var comment: String?
        /// The input arguments, in order.
        public var arguments: [Argument]
        public var result: Result
        /// Whether the function returns any number of rows; otherwise it returns one.
        public var returnsSet: Bool
        /// `volatile` functions may write, so only POST may call them.
        public var isVolatile: Bool

        public struct Argument: Sendable, Equatable, Decodable {
            public var name: String
            /// The type as SQL spells it, such as `text[]`, from PostgreSQL's catalog.
            public var type: String
            public var isRequired: Bool

            public init(name: String, type: String, isRequired: Bool) {
                self.name = name
                self.type = type
                self.isRequired = isRequired
            }
        }

        public enum Result: Sendable, Equatable {
            case nothing
            /// A value of the type with this short name.
            case value(String)
            /// Rows of a table of the catalog.
            case row(table: String)
            /// Rows with columns of their own: `returns table (…)`, OUT parameters or a composite type.
            case record([Column])
        }

        public init(
            name: String, arguments: [Argument], result: Result, returnsSet: Bool, isVolatile: Bool = true,
            comment: String? = nil
        ) {
            self.name = name
            self.arguments = arguments
            self.result = result
            self.returnsSet = returnsSet
            self.isVolatile = isVolatile
            self.comment = comment
        }
    }

    /// - Throws: `unknownTable` when the catalog has no such table, also for tables of other schemas.
    public func table(_ name: String) throws(QueryError) -> Table {
        guard let table = tables[name] else { throw .unknownTable(name) }
        return table
    }

    /// The statement that reads the catalog. It returns one row with one JSON value.
    public static let query: SQL =
        "select json_build_object('tables', (\(tablesQuery)), 'functions', (\(functionsQuery)))"

    private static let tablesQuery: SQL = """
        select coalesce(json_agg(json_build_object(
            'name', c.relname,
            'comment', obj_description(c.oid, 'pg_class'),
            'columns', (
                select json_agg(json_build_object(
                    'name', a.attname, 'type', t.typname, 'isNullable', not a.attnotnull,
                    'defaultExpression', pg_get_expr(d.adbin, d.adrelid),
                    'comment', col_description(c.oid, a.attnum)) order by a.attnum)
                from pg_attribute a join pg_type t on t.oid = a.atttypid
                left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated = ''
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
            ), '[]'),
            'foreignKeys', coalesce((
                select json_agg(json_build_object(
                    'name', k.conname,
                    'columns', (
                        select json_agg(a.attname order by key.place)
                        from unnest(k.conkey) with ordinality as key (number, place)
                        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.number
                    ),
                    'target', t.relname,
                    'targetColumns', (
                        select json_agg(a.attname order by key.place)
                        from unnest(k.confkey) with ordinality as key (number, place)
                        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.number
                    )) order by k.conname)
                from pg_constraint k join pg_class t on t.oid = k.confrelid
                where k.conrelid = c.oid and k.contype = 'f' and t.relnamespace = c.relnamespace
            ), '[]'),
            'views', coalesce((
                select json_agg(v.relname order by v.relname) from pg_class v
                where v.relnamespace = to_regnamespace('rest') and v.relkind = 'v'
                    and (v.relname = c.relname or starts_with(v.relname, c.relname || '_by_'))
            ), '[]'),
            'isCounted', exists (select from pg_trigger where tgrelid = c.oid and tgname = 'count_change')
        )), '[]')
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
        """

    /// The functions that a signed-in user may execute, without those of extensions.
    private static let functionsQuery: SQL = """
        select coalesce(json_agg(json_build_object(
            'name', p.proname,
            'comment', obj_description(p.oid, 'pg_proc'),
            'arguments', coalesce((
                select json_agg(json_build_object(
                    'name', a.name, 'type', format_type(a.type, null),
                    'isRequired', a.place <= p.pronargs - p.pronargdefaults) order by a.place)
                from \(parameters(modes: "'i', 'b', 'v'")) as a
            ), '[]'),
            'type', t.typname,
            'table', (
                select c.relname from pg_class c
                where c.oid = t.typrelid and c.relnamespace = p.pronamespace and c.relkind in ('r', 'p', 'v')
            ),
            'columns', coalesce(
                (
                    select json_agg(json_build_object(
                        'name', coalesce(nullif(a.name, ''), 'column' || a.place), 'type', c.typname,
                        'isNullable', true) order by a.place)
                    from \(parameters(modes: "'o', 'b', 't'")) as a join pg_type c on c.oid = a.type
                ),
                (
                    select json_agg(json_build_object(
                        'name', a.attname, 'type', c.typname, 'isNullable', true) order by a.attnum)
                    from pg_attribute a join pg_type c on c.oid = a.atttypid
                    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
                )),
            'returnsSet', p.proretset,
            'isVolatile', p.provolatile = 'v') order by p.proname), '[]')
        from pg_proc p join pg_type t on t.oid = p.prorettype
        where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
            and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
            and has_function_privilege('authenticated', p.oid, 'execute')
            and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        """

    /// The parameters of a function `p` that have one of these modes, numbered from 1.
    private static func parameters(modes: SQL) -> SQL {
        """
        (
            select p.proargnames[a.place] as name, a.type, row_number() over (order by a.place) as place
            from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes)
                with ordinality as a (type, mode, place)
            where coalesce(a.mode, 'i') in (\(modes))
        )
        """
    }

    /// The catalog from the JSON value that `query` returns.
    public init(json: String) throws {
        let content = try JSONDecoder().decode(Content.self, from: Data(json.utf8))
        self.init(tables: content.tables, functions: content.functions)
    }

    private struct Content: Decodable {
        var tables: [Table]
        var functions: [Function]
    }
}

extension Catalog.Function {
    private enum CodingKeys: CodingKey { case name, comment, arguments, type, table, columns, returnsSet, isVolatile }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let type = try values.decode(String.self, forKey: .type)
        let table = try values.decodeIfPresent(String.self, forKey: .table)
        let columns = try values.decodeIfPresent([Catalog.Column].self, forKey: .columns)
        self.init(
            name: try values.decode(String.self, forKey: .name),
            arguments: try values.decode([Argument].self, forKey: .arguments),
            result: table.map { .row(table: $0) } ?? columns.map { .record($0) }
                ?? (type == "void" ? .nothing : .value(type)),
            returnsSet: try values.decode(Bool.self, forKey: .returnsSet),
            isVolatile: try values.decode(Bool.self, forKey: .isVolatile),
            comment: try values.decodeIfPresent(String.self, forKey: .comment))
    }
}
