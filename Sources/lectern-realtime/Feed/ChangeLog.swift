import FoundationEssentials
import Postgres
import Realtime

/// The statements that read the change log of sql/schema/change_log.sql.
enum ChangeLog {
    /// A point in time: the transactions that had ended by then, as PostgreSQL's pg_snapshot.
    typealias Snapshot = String

    /// The number of lines read at once. Rows are usually a few kilobytes, and some are a hundred times as large.
    static let batch = 200

    /// The present.
    static func snapshot(_ connection: inout Connection) throws(PostgresError) -> Snapshot {
        guard let snapshot = try connection.query("select pg_current_snapshot()").text(0, 0) else {
            throw .broken(reason: "pg_current_snapshot returned no row")
        }
        return snapshot
    }

    /// Whether transactions that had begun by the snapshot are unknown to the server: its write-ahead log was lost, or
    /// an older copy was restored. It gives their numbers to new transactions, which the snapshot would then hide.
    static func isBehind(_ snapshot: Snapshot, _ connection: inout Connection) throws(PostgresError) -> Bool {
        try connection.query(
            "select pg_snapshot_xmax(\(snapshot)::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())"
        ).bool(0, 0) ?? true
    }

    /// Changes in the order of the log.
    struct Page {
        var changes: [Change]
        /// Where the next page begins. It has no delta if this was the last page of one.
        var next: Position
    }

    /// How far the log was read.
    struct Position {
        /// Everything that this snapshot sees has been read.
        var previous: Snapshot
        /// The end of the delta that is being read, and its last line so far; nil between two deltas.
        var delta: (upto: Snapshot, line: Int)?
    }

    /// Reads the next lines after a position.
    ///
    /// - Throws: `refused` with LT410 if lines after the position may be gone.
    static func page(after position: Position, _ connection: inout Connection) throws(PostgresError) -> Page {
        // One round trip: the end of the delta, with the lines before it. Without lines there is one row of nulls.
        let upto: SQL = position.delta.map { "\($0.upto)::pg_snapshot" } ?? "pg_current_snapshot()"
        let rows = try connection.query(
            """
            select upto, seq, user_id, table_name, op, key, record,
                (extract(epoch from changed_at) * 1000000)::bigint
            from (select \(upto) as upto) as present
            left join lateral private.changes_after(
                \(position.previous)::pg_snapshot, upto, \(position.delta?.line ?? 0), \(literal: batch)) on true
            order by seq
            """)
        guard let upto = rows.text(0, 0) else { throw .broken(reason: "the change log returned no row") }
        var changes: [Change] = []
        changes.reserveCapacity(rows.count)
        for row in 0..<rows.count where rows.int(row, 1) != nil { changes.append(try change(rows, row)) }
        guard changes.count == batch, let line = rows.int(rows.count - 1, 1) else {
            return Page(changes: changes, next: Position(previous: upto))
        }
        return Page(changes: changes, next: Position(previous: position.previous, delta: (upto, line)))
    }

    private static func change(_ rows: Rows, _ row: Int) throws(PostgresError) -> Change {
        guard let user = rows.text(row, 2).flatMap(UUID.init(uuidString:)), let table = rows.text(row, 3),
            let operation = operation(rows.text(row, 4)), let key = rows.bytes(row, 5), let record = rows.bytes(row, 6),
            let writtenAt = rows.int(row, 7)
        else { throw .broken(reason: "a line of the change log is incomplete") }
        return Change(
            user: user, table: table, operation: operation, key: Array(key), row: Array(record), writtenAt: writtenAt)
    }

    private static func operation(_ letter: String?) -> Change.Operation? {
        switch letter {
        case "I": .insert
        case "U": .update
        case "D": .delete
        default: nil
        }
    }

    /// The tables with the trigger that logs changes. The log leaves out two columns of articles.
    static func tables(_ connection: inout Connection) throws(PostgresError) -> Tables {
        let rows = try connection.query(
            """
            select relname, attname, coalesce(base.typname, type.typname), type.typtype = 'e'
            from pg_trigger
            join pg_class on pg_class.oid = tgrelid
            join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
            join pg_type as type on type.oid = atttypid
            left join pg_type as base on base.oid = type.typbasetype
            where tgname = 'log_change' and relnamespace = 'public'::regnamespace
                and not (relname = 'articles' and attname in ('content', 'text_content'))
            order by relname, attnum
            """)
        var columns: [String: [Table.Column]] = [:]
        for row in 0..<rows.count {
            guard let table = rows.text(row, 0), let name = rows.text(row, 1), let type = rows.text(row, 2) else {
                continue
            }
            columns[table, default: []].append(
                Table.Column(name: name, type: type, isEnum: rows.bool(row, 3) ?? false))
        }
        return Tables(columns.map { Table(name: $0.key, columns: $0.value) })
    }
}
