import Glibc

/// The database connection of one thread. It connects when first needed, and reconnects after the connection was lost.
/// It is not `Sendable`: every thread has its own.
public final class Database {
    private let conninfo: String
    private let prepare: (inout Connection) throws(PostgresError) -> Void
    private var connection: Connection?

    /// - Parameters:
    ///   - conninfo: libpq's keyword string or URI.
    ///   - prepare: runs on each new connection before its first use. If it throws, the connection is not used.
    public init(
        _ conninfo: String, prepare: @escaping (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) {
        self.conninfo = conninfo
        self.prepare = prepare
    }

    /// Runs statements as one transaction in one round trip; see `Connection.transaction`.
    ///
    /// A transaction that PostgreSQL has rolled back in favour of another one is repeated, three attempts in all, after
    /// short random pauses.
    ///
    /// A connection that the server closed while it was idle is replaced first. After a connection is lost during the
    /// transaction nothing is repeated: it is unknown whether the statements ran, and only the caller knows whether
    /// that matters.
    public func transaction(as identity: Identity, _ batch: [SQL]) throws(PostgresError) -> [Rows] {
        var attempt = 1
        while true {
            do throws(PostgresError) {
                return try usingConnection { connection throws(PostgresError) in
                    try connection.transaction(as: identity, batch)
                }
            } catch  where error.isConflict && attempt < Self.attempts {
                usleep(.random(in: Self.microsecondsBetweenAttempts))
                attempt += 1
            }
        }
    }

    private static let attempts = 3
    /// Random, so that two transactions which were in each other's way do not meet again.
    private static let microsecondsBetweenAttempts: ClosedRange<UInt32> = 5_000...50_000

    /// Runs `body` with a usable connection, and closes the connection if it is lost during `body`. Also closes a
    /// connection with large buffers: a new one costs less than keeping the memory on every thread.
    public func usingConnection<Result>(
        _ body: (inout Connection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        var usable = try take()
        do {
            let result = try body(&usable)
            if usable.isUsable, !usable.hasLargeBuffers { connection = consume usable }
            return result
        } catch {
            if usable.isUsable, !usable.hasLargeBuffers { connection = consume usable }
            throw error
        }
    }

    /// The idle connection if it is still open, else a new one.
    private func take() throws(PostgresError) -> Connection {
        if let idle = connection.take(), !idle.hasInputWhileIdle { return idle }
        var new = try Connection(conninfo)
        try prepare(&new)
        return new
    }
}
