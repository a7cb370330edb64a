import CPostgres
import Glibc

/// One connection to PostgreSQL, owned by one thread; blocking.
public struct Connection: ~Copyable {
    private let handle: OpaquePointer
    private var statements = StatementCache()
    let openedAt = ContinuousClock.now
    /// Whether the connection has carried a large statement or result. libpq keeps buffers of that size as long as the
    /// connection exists.
    private(set) var hasLargeBuffers = false

    /// Bytes from which a statement or result is large.
    private static let large = 4_194_304

    /// Connects, waiting at most as long as the conninfo's `connect_timeout`.
    ///
    /// - Parameter conninfo: libpq's keyword string or URI.
    public init(_ conninfo: String) throws(PostgresError) {
        guard let handle = PQconnectdb(conninfo) else { throw .unavailable(reason: "out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let reason = String(cString: PQerrorMessage(handle))
            PQfinish(handle)
            throw .unavailable(reason: reason)
        }
        // Notices are meant for interactive use; here they would only fill stderr.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// False once the connection is lost, or is still in a pipeline that could not be ended: the next statement would
    /// then belong to the same transaction.
    public var isUsable: Bool { isConnected && PQpipelineStatus(handle) == PQ_PIPELINE_OFF }

    private var isConnected: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Whether the server has sent something on this idle connection, found out without a round trip. The usual reason
    /// is that the server closes it: these connections do not LISTEN, and after a late notice a new connection does no
    /// harm.
    public var hasInputWhileIdle: Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Runs statements as one transaction in one round trip: the settings and the lock of the identity, the statements,
    /// one Sync.
    ///
    /// PostgreSQL makes one implicit transaction of everything between two Syncs, and the identity's settings are local
    /// to it. After success and after failure the connection has its login role again. When a statement fails, the
    /// statements after it do not run and the transaction is rolled back.
    ///
    /// - Returns: one `Rows` per statement, in order.
    /// - Throws: `refused` with the error of the first failing statement, `unavailable` when the connection is lost,
    ///   `nulInText` before anything is sent.
    public mutating func transaction(as identity: Identity, _ batch: [SQL]) throws(PostgresError) -> [Rows] {
        // Binds are checked before the first byte is queued.
        var rendered = [try RenderedStatement(Self.settings(of: identity))]
        for statement in batch { rendered.append(try RenderedStatement(statement)) }
        var expected: [Expected] = []
        guard PQenterPipelineMode(handle) == 1 else { throw .unavailable(reason: lastError()) }
        defer { _ = PQexitPipelineMode(handle) }
        for (index, statement) in rendered.enumerated() {
            try queue(statement, role: index == 0 ? "" : identity.role, into: &expected)
        }
        guard PQpipelineSync(handle) == 1 else { throw .unavailable(reason: lastError()) }
        return Array(try collect(expected).dropFirst())
    }

    /// Runs SQL text like psql: several statements, without binds and identity. For migrations and tests.
    public mutating func script(_ text: String) throws(PostgresError) {
        // A script may deallocate statements or drop the tables they use. Preparing them again is always correct.
        defer { statements.removeAll() }
        guard let result = PQexec(handle, text) else { throw .unavailable(reason: lastError()) }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: throw failure(of: result)
        }
    }

    /// Runs one statement as the login role, inside the transaction that `script` has opened, if any.
    public mutating func query(_ sql: SQL) throws(PostgresError) -> Rows {
        let statement = try RenderedStatement(sql)
        let result = statement.withValues { values in
            PQexecParams(handle, statement.text, Int32(values.count), nil, values, nil, nil, 0)
        }
        guard let result else { throw .unavailable(reason: lastError()) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return Rows(adopting: result)
        default:
            defer { PQclear(result) }
            throw failure(of: result)
        }
    }

    /// Runs one statement as `query` does, and calls a function with each row as it arrives. The result is never in
    /// memory as a whole: while the function runs, the server waits.
    ///
    /// - Parameter body: is given `Rows` that have one row. After it has thrown, the other rows are dropped.
    /// - Throws: the error of the statement, also when rows have arrived before it, and what `body` throws.
    public mutating func query(
        _ sql: SQL, eachRow body: (Rows) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        let statement = try RenderedStatement(sql)
        let sent = statement.withValues { values in
            PQsendQueryParams(handle, statement.text, Int32(values.count), nil, values, nil, nil, 0)
        }
        guard sent == 1, PQsetSingleRowMode(handle) == 1 else { throw .unavailable(reason: lastError()) }
        var error: PostgresError?
        // All results are read, also after an error, since the next statement can only be sent then.
        while let result = PQgetResult(handle) {
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                let row = Rows(adopting: result)
                guard error == nil else { continue }
                do throws(PostgresError) { try body(row) } catch let failure { error = failure }
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: PQclear(result)
            default:
                error = error ?? failure(of: result)
                PQclear(result)
            }
        }
        if let error { throw error }
        guard isConnected else { throw .unavailable(reason: lastError()) }
    }

    /// Waits for a NOTIFY on a channel to which this connection LISTENs. Payloads are dropped: nobody needs them here.
    ///
    /// - Parameter timeout: longest wait in milliseconds; -1 for no limit.
    /// - Returns: the channel of each notification; empty after a timeout.
    public mutating func notifications(timeout: Int32) throws(PostgresError) -> [String] {
        var channels = takeNotifications()
        if channels.isEmpty {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, timeout) > 0 else { return [] }
            guard PQconsumeInput(handle) == 1, isConnected else { throw .unavailable(reason: lastError()) }
            channels = takeNotifications()
        }
        return channels
    }

    // MARK: - The pipeline

    /// The results that the server will send, in order.
    private enum Expected {
        case prepared(StatementCache.Key, name: String)
        case deallocated
        case rows
    }

    /// Sets the identity for the current transaction. It is one statement, so that all settings apply or nothing runs.
    private static func settings(of identity: Identity) -> SQL {
        let settings = identity.settings.map { setting -> SQL in
            ", set_config(\(setting.name), \(setting.value), true)"
        }
        let all = settings.reduce(into: roleAndLimits(of: identity), +=)
        return identity.lock.map { all + ", " + $0 } ?? all
    }

    private static func roleAndLimits(of identity: Identity) -> SQL {
        let readOnly: SQL = identity.isReadOnly ? ", set_config('transaction_read_only', 'on', true)" : ""
        return """
            select set_config('request.jwt.claims', \(identity.claims), true), \
            set_config('role', \(identity.role), true), \
            set_config('statement_timeout', \(identity.statementTimeout)::text, true), \
            set_config('application_name', \(identity.applicationName), true)
            """ + readOnly
    }

    private mutating func queue(
        _ statement: RenderedStatement, role: String, into expected: inout [Expected]
    ) throws(PostgresError) {
        if statement.size > Self.large { hasLargeBuffers = true }
        let key = StatementCache.Key(role: role, text: statement.text)
        let name: String
        if let known = statements.name(of: key) {
            name = known
        } else {
            if let evicted = statements.evict() {
                guard PQsendQueryParams(handle, "deallocate \(evicted)", 0, nil, nil, nil, nil, 0) == 1 else {
                    throw .unavailable(reason: lastError())
                }
                expected.append(.deallocated)
            }
            name = statements.newName()
            guard PQsendPrepare(handle, name, statement.text, 0, nil) == 1 else {
                throw .unavailable(reason: lastError())
            }
            expected.append(.prepared(key, name: name))
        }
        let sent = statement.withValues { values in
            PQsendQueryPrepared(handle, name, Int32(values.count), values, nil, nil, 0)
        }
        guard sent == 1 else { throw .unavailable(reason: lastError()) }
        expected.append(.rows)
    }

    /// Reads all results up to the Sync, also after an error, so that the next transaction starts in a clean state.
    private mutating func collect(_ expected: [Expected]) throws(PostgresError) -> [Rows] {
        var rows: [Rows] = []
        var error: PostgresError?
        for step in expected {
            guard let result = PQgetResult(handle) else {
                error = error ?? .unavailable(reason: lastError())
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                switch step {
                case .prepared(let key, let name):
                    statements.insert(key, as: name)
                    PQclear(result)
                case .deallocated:
                    PQclear(result)
                case .rows:
                    if PQresultMemorySize(result) > Self.large { hasLargeBuffers = true }
                    rows.append(Rows(adopting: result))
                }
            case PGRES_PIPELINE_ABORTED:
                PQclear(result)
            default:
                error = error ?? failure(of: result)
                PQclear(result)
            }
            while let extra = PQgetResult(handle) { PQclear(extra) }
        }
        if let sync = PQgetResult(handle) {
            if PQresultStatus(sync) != PGRES_PIPELINE_SYNC {
                // The transaction failed at COMMIT, for example because of a deferred constraint.
                error = error ?? failure(of: sync)
                while let extra = PQgetResult(handle) { PQclear(extra) }
                if let afterError = PQgetResult(handle) { PQclear(afterError) }
            }
            PQclear(sync)
        }
        if let error { throw error }
        guard isConnected else { throw .unavailable(reason: lastError()) }
        return rows
    }

    private func takeNotifications() -> [String] {
        var channels: [String] = []
        while let notification = PQnotifies(handle) {
            channels.append(String(cString: notification.pointee.relname))
            PQfreemem(notification)
        }
        return channels
    }

    // MARK: - Errors

    private func lastError() -> String { String(cString: PQerrorMessage(handle)) }

    private func failure(of result: OpaquePointer) -> PostgresError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        // 'C', 'M', 'D', 'H', 'n' and 'R' are PG_DIAG_* in postgres_ext.h, character constants that Swift does not import.
        guard let sqlState = field(0x43), isConnected || !Self.endsConnection(sqlState) else {
            return .unavailable(reason: String(cString: PQresultErrorMessage(result)))
        }
        if Self.endsConnection(sqlState) { return .unavailable(reason: field(0x4D) ?? sqlState) }
        return .refused(
            .init(
                sqlState: sqlState, message: field(0x4D) ?? "", detail: field(0x44), hint: field(0x48),
                constraint: field(0x6E), reportedBy: field(0x52)))
    }

    /// 57P01 to 57P05: the server is shutting down, has crashed, is starting, drops the database or ends idle sessions.
    private static func endsConnection(_ sqlState: String) -> Bool { sqlState.hasPrefix("57P") }
}
