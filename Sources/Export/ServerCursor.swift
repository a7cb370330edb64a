import Postgres

/// Fetches rows of a cursor in batches of about a megabyte, so that short rows do not cost a round trip each, and long
/// rows do not use up the memory.
struct ServerCursor {
    private let name: String
    private var atOnce = 8

    private static let bytesAtOnce = 1 << 20
    private static let maxRowsAtOnce = 1_000

    /// - Parameter opening: a call of a function that opens a cursor and returns its name.
    init(_ connection: inout Connection, _ opening: SQL) throws(PostgresError) {
        guard let name = try connection.query(opening).text(0, 0) else {
            throw .broken(reason: "a cursor without a name")
        }
        self.name = name
    }

    /// The next rows; nil after the last.
    mutating func next(_ connection: inout Connection, columns: Int) throws(PostgresError) -> Rows? {
        let rows = try connection.query("fetch \(literal: atOnce) from \(name: name)")
        guard rows.count > 0 else {
            _ = try connection.query("close \(name: name)")
            return nil
        }
        var bytes = 1
        for row in 0..<rows.count {
            for column in 0..<columns { bytes += rows.bytes(row, column)?.count ?? 0 }
        }
        atOnce = min(max(Self.bytesAtOnce * rows.count / bytes, 1), Self.maxRowsAtOnce, 4 * atOnce)
        return rows
    }
}
