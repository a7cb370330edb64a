import Postgres

/// Counts the rows of what users keep before and after a migration. Nothing else may write to these tables in between.
///
/// A migration that is meant to add or delete rows names the tables in a comment: `-- Changes rows of: public.links`.
struct RowCountCheck {
    private let migration: Migration
    private let before: TableCounts

    /// The schemas with what users keep. The queues and logs of the service are in others.
    private static let schemas = ["public", "auth"]
    private static let mark = "-- Changes rows of:"

    /// - Parameter connection: in the transaction of the migration.
    init(_ migration: Migration, _ connection: inout Connection) throws(PostgresError) {
        self.migration = migration
        let tables = try connection.query(
            """
            select string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by n.nspname, c.relname)
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname = any(\(array: Self.schemas))
            """)
        if let names = tables.text(0, 0) { try connection.script("lock table \(names) in share mode") }
        before = try TableCounts(&connection, in: Self.schemas)
    }

    /// - Throws: `MigrationError.rowsChanged` if a table has other rows or is gone.
    func compare(_ connection: inout Connection) throws {
        let after = try TableCounts(&connection, in: Self.schemas)
        let changed = Self.tablesMeantToChange(by: migration.text)
        func compared(_ counts: TableCounts) -> TableCounts {
            TableCounts(rows: counts.rows.filter { before.rows[$0.key] != nil && !changed.contains($0.key) })
        }
        let differences = compared(before).differences(from: compared(after))
        guard differences.isEmpty else { throw MigrationError.rowsChanged(name: migration.name, tables: differences) }
    }

    static func tablesMeantToChange(by text: String) -> Set<String> {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(mark) }
        return Set(lines.flatMap { $0.dropFirst(mark.count).split { $0 == " " || $0 == "," } }.map(String.init))
    }
}
