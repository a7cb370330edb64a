import Postgres

/// Fetches rows of a cursor in batches of about a megabyte, so that short rows do not cost a round trip each, and long
/// rows do not use up the memory.
struct ServerCursor {
    private let name: String

    /// - Parameter opening: a call of a function that opens a cursor and returns its name.
    init(_ connection: inout Connection, _ opening: SQL) throws(PostgresError) {
        guard let name = try connection.query(opening).text(0, 0) else {
            throw .broken(reason: "a cursor without a name")
        }
        self.name = name
    }

    /// The next rows, whose columns are text; nil after the last.
    func next(_ connection: inout Connection) throws(PostgresError) -> Rows? {
        let rows = try connection.query("select * from private.next_personal_rows(\(name)::refcursor)")
        guard rows.count > 0 else {
            _ = try connection.query("close \(name: name)")
            return nil
        }
        return rows
    }
}
