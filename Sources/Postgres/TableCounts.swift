/// The number of rows of each table of a database, by its qualified name. System tables are left out.
public struct TableCounts: Sendable, Equatable {
    public var rows: [String: Int]

    public init(rows: [String: Int]) { self.rows = rows }

    /// Counts the rows that the connection's transaction sees.
    ///
    /// - Parameter schemas: counts only tables in these; all schemas if it is nil.
    public init(_ connection: inout Connection, in schemas: [String]? = nil) throws(PostgresError) {
        let tables = try connection.query(
            """
            select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
            order by 1, 2
            """)
        rows = [:]
        for row in 0..<tables.count {
            guard let schema = tables.text(row, 0), let table = tables.text(row, 1) else { continue }
            if let schemas, !schemas.contains(schema) { continue }
            let count = try connection.query("select count(*) from \(SQL.name(schema, table))")
            rows["\(schema).\(table)"] = count.int(0, 0) ?? 0
        }
    }

    /// What differs from `later`, one sentence for each table; empty if the counts are equal.
    public func differences(from later: Self) -> [String] {
        Set(rows.keys).union(later.rows.keys).sorted().compactMap { table in
            let (before, after) = (rows[table], later.rows[table])
            if before == after { return nil }
            guard let before else { return "\(table) is new" }
            return after.map { "\(table) has \($0) rows instead of \(before)" } ?? "\(table) is missing"
        }
    }

    public var sum: Int { rows.values.reduce(0, +) }
}
