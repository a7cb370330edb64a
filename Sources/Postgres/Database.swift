import Glibc
import Synchronization
import Threads

/// The connections of a process or of one thread to a database. Each is lent for one piece of work. It connects when
/// it has no idle connection, and replaces connections that were lost.
///
/// Threads that seldom work share a value: they need as many connections as work at the same time. Each takes
/// PostgreSQL more than two megabytes.
public final class Database: Sendable {
    /// The notifications that threads of this value wait for.
    let listener: ChannelListener
    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let maxAge: Duration?
    private let state = Mutex(State())
    private let returned = WakeUp()

    private struct State {
        /// The connection that was used last is at the end. It is used first, so that PostgreSQL closes the others.
        var idle: [IdleConnection] = []
        /// How many connections are in use.
        var lent = 0
    }

    private final class IdleConnection: @unchecked Sendable {
        // Unchecked: only the thread that has taken this object out of the list uses it.
        private var connection: Connection?

        init(_ connection: consuming Connection) { self.connection = consume connection }

        /// The connection; nil when the server has closed it.
        func take() -> Connection? {
            if connection?.hasInputWhileIdle ?? true { return nil }
            return connection.take()
        }
    }

    /// - Parameters:
    ///   - conninfo: libpq's keyword string or URI.
    ///   - prepare: runs on each new connection before its first use. If it throws, the connection is not used.
    ///   - maxAge: the age from which a connection is closed when it is given back. PostgreSQL keeps the plans and
    ///     catalogs of everything that a session has run, in the end some 15 MB. Nil: connections are kept.
    public init(
        _ conninfo: String, maxAge: Duration? = nil,
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) {
        self.conninfo = conninfo
        self.maxAge = maxAge
        self.prepare = prepare
        listener = ChannelListener(conninfo, prepare: prepare)
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
    /// connection with large buffers: a new one costs less than keeping the memory.
    public func usingConnection<Result>(
        _ body: (inout Connection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        var connection = try take()
        do {
            let result = try body(&connection)
            giveBack(connection)
            return result
        } catch {
            giveBack(connection)
            throw error
        }
    }

    /// Connects, for a caller that keeps the connection.
    public func connect() throws(PostgresError) -> Connection {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        return connection
    }

    /// An idle connection that is still open, else a new one.
    private func take() throws(PostgresError) -> Connection {
        let deadline = ContinuousClock.now + .milliseconds(Self.patience)
        while true {
            let (idle, mayCome) = state.withLock { state in
                let (idle, mayCome) = (state.idle.popLast(), state.lent > 0)
                if idle != nil { state.lent += 1 }
                return (idle, mayCome)
            }
            if let idle {
                if let connection = idle.take() { return connection }
                state.withLock { $0.lent -= 1 }
                continue
            }
            guard mayCome, ContinuousClock.now < deadline else { break }
            returned.wait(milliseconds: Self.patience) { state.withLock { !$0.idle.isEmpty || $0.lent == 0 } }
        }
        state.withLock { $0.lent += 1 }
        do throws(PostgresError) {
            return try connect()
        } catch {
            state.withLock { $0.lent -= 1 }
            throw error
        }
    }

    /// Milliseconds for which a thread waits for a connection that another one uses, before it connects. Most work
    /// takes less.
    private static let patience = 5

    private func giveBack(_ connection: consuming Connection) {
        let age = ContinuousClock.now - connection.openedAt
        let isOld = maxAge.map { age > $0 } ?? false
        let isKept = connection.isUsable && !connection.hasLargeBuffers && !isOld
        let idle = isKept ? IdleConnection(connection) : nil
        state.withLock { state in
            state.lent -= 1
            if let idle { state.idle.append(idle) }
        }
        returned.all()
    }
}
