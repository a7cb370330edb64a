import FoundationEssentials
import Postgres
import Realtime

/// The statements that read the change log of sql/schema/change_log.sql.
enum ChangeLog {
    /// A point in time: the transactions that had ended by then, as PostgreSQL's pg_snapshot.
    typealias Snapshot = String

    /// The present, and the cluster whose transactions its snapshot names.
    static func start(_ connection: inout Connection) throws(PostgresError) -> (cluster: String, Position) {
        let row = try connection.query("select rest.cluster_identity(), rest.logged_snapshot()")
        guard let cluster = row.text(0, 0), let snapshot = row.text(0, 1) else {
            throw .broken(reason: "the database has no identity or no snapshot")
        }
        return (cluster, Position(previous: snapshot))
    }

    /// Whether the server has all transactions that a snapshot names. It does not if a standby that lagged behind or an
    /// older copy has taken its place: such a server gives their numbers to new transactions, which the snapshot hides.
    static func hasAll(
        of snapshot: Snapshot, in cluster: String, _ connection: inout Connection
    ) throws(PostgresError) -> Bool {
        try connection.query(
            """
            select rest.cluster_identity() = \(cluster)
                and pg_snapshot_xmax(\(snapshot)::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
            """
        ).bool(0, 0) ?? false
    }

    /// How far the log was read.
    struct Position {
        /// Everything that this snapshot sees has been read.
        var previous: Snapshot
        /// The end of the delta that is being read, and its last line so far; nil between two deltas.
        var delta: (upto: Snapshot, line: Int)?
    }

    /// Reads the lines after a position, in the order of the log.
    ///
    /// The lines are read from one statement, so that a large delta is not sorted for each part of it.
    ///
    /// - Parameter tell: called with the changes in parts, each with the position after it.
    /// - Returns: the position after the last line.
    /// - Throws: `refused` with LT410 if lines after the position may be gone.
    static func read(
        after position: Position, _ connection: inout Connection, tell: ([Change], Position) -> Void
    ) throws(PostgresError) -> Position {
        // One round trip: the end of the delta, with the lines before it. Without lines there is one row of nulls. The
        // rows have the order in which the function returns them, because they are joined to one row.
        let upto: SQL = position.delta.map { "\($0.upto)::pg_snapshot" } ?? "rest.logged_snapshot()"
        var part = Part()
        var end: Snapshot?
        try connection.query(
            """
            with present as materialized (select \(upto) as upto)
            select upto, seq, user_id, table_name, op, key, record,
                (extract(epoch from changed_at) * 1000000)::bigint
            from present
            left join lateral private.changes_after(
                \(position.previous)::pg_snapshot, upto, \(position.delta?.line ?? 0), null) on true
            """
        ) { row throws(PostgresError) in
            end = row.text(0, 0)
            guard let end, let line = row.int(0, 1) else { return }
            part.add(try change(row))
            guard part.isFull else { return }
            tell(part.changes, Position(previous: position.previous, delta: (end, line)))
            part = Part()
        }
        guard let end else { throw .broken(reason: "the change log returned no row") }
        let next = Position(previous: end)
        if !part.changes.isEmpty { tell(part.changes, next) }
        return next
    }

    /// Changes that are reported together.
    private struct Part {
        private(set) var changes: [Change] = []
        private var bytes = 0

        /// In bytes of rows. A client that reads has taken most of a part before the next one comes.
        private static let size = 65_536
        private static let count = 200

        var isFull: Bool { bytes >= Self.size || changes.count >= Self.count }

        mutating func add(_ change: Change) {
            changes.append(change)
            bytes += change.row.count
        }
    }

    private static func change(_ line: Rows) throws(PostgresError) -> Change {
        guard let user = line.text(0, 2).flatMap(UUID.init(uuidString:)), let table = line.text(0, 3),
            let operation = operation(line.text(0, 4)), let key = line.bytes(0, 5), let record = line.bytes(0, 6),
            let writtenAt = line.int(0, 7)
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
