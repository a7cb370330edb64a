/// A thread's way to PostgreSQL: connects when first needed, and again when the server went away. Not `Sendable`:
/// every thread owns its own.
public final class Database {
    private let conninfo: String
    private let prepare: (inout Connection) throws(PostgresError) -> Void
    private var connection: Connection?

    /// - Parameters:
    ///   - conninfo: libpq's keyword string or URI.
    ///   - prepare: run on each fresh connection before its first use; its throw refuses the connection.
    public init(
        _ conninfo: String, prepare: @escaping (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) {
        self.conninfo = conninfo
        self.prepare = prepare
    }

    /// Runs statements as one transaction in one round trip; see `Connection.transaction`.
    ///
    /// A connection the server closed while it was idle is replaced first. One that is lost in the middle is not
    /// tried again here: whether the statement ran cannot be known, and only the caller knows if that matters.
    public func transaction(as identity: Identity, _ batch: [SQL]) throws(PostgresError) -> [Rows] {
        try usingConnection { connection throws(PostgresError) in try connection.transaction(as: identity, batch) }
    }

    /// Runs `body` with a usable connection, and drops the connection when `body` finds it lost.
    public func usingConnection<Result>(
        _ body: (inout Connection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        var usable = try take()
        do {
            let result = try body(&usable)
            if usable.isUsable { connection = consume usable }
            return result
        } catch {
            if usable.isUsable { connection = consume usable }
            throw error
        }
    }

    /// The idle connection if it still lives, else a new one.
    private func take() throws(PostgresError) -> Connection {
        if let idle = connection.take(), !idle.spokeWhileIdle { return idle }
        var fresh = try Connection(conninfo)
        try prepare(&fresh)
        return fresh
    }
}
