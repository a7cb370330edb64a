import CPostgres
import Glibc

/// Who a transaction runs as. Becomes transaction-local settings, so it cannot outlive the transaction.
public struct Identity: Sendable, Equatable {
    /// A PostgreSQL role the login role is a member of; `none` stays the login role.
    public var role: String
    /// The verified claims as JSON text, read by `auth.uid()` and its like; empty for nobody. An expression: a bind where
    /// they are known, a call where the database finds them out, as the login role and before all else.
    public var claims: SQL
    /// Longest a statement may run, in milliseconds.
    public var statementTimeout: Int
    /// Shown in `pg_stat_activity.application_name`: carries the request's id into SQL and its logs.
    public var applicationName: String
    /// Refuses every write of the transaction.
    public var isReadOnly: Bool
    /// What the transaction's triggers and functions may want to know of the request, read by `current_setting`. The
    /// names are ours, never a client's.
    public var settings: [Setting]

    public struct Setting: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        role: String, claims: String = "", statementTimeout: Int = 5_000, applicationName: String = "lectern",
        isReadOnly: Bool = false, settings: [Setting] = []
    ) {
        self.role = role
        self.claims = .bind(claims)
        self.statementTimeout = statementTimeout
        self.applicationName = applicationName
        self.isReadOnly = isReadOnly
        self.settings = settings
    }
}

/// One connection to PostgreSQL, owned by one thread; blocking.
public struct Connection: ~Copyable {
    private let handle: OpaquePointer
    private var statements = StatementCache()

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
        // Notices are for people at psql; on a server they would only fill stderr.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// False once the connection is known to be lost, or stuck in a pipeline that could not be ended: whatever came
    /// next would belong to the same transaction.
    public var isUsable: Bool { isConnected && PQpipelineStatus(handle) == PQ_PIPELINE_OFF }

    private var isConnected: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Whether the server has said something on this idle connection, found out without a round trip. It has no
    /// reason to but to end it: nothing here listens for notifications, and a late notice is worth a new connection.
    public var spokeWhileIdle: Bool {
        var watched = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// Runs statements as one transaction in one round trip: the identity, each statement, one Sync.
    ///
    /// Between two Syncs PostgreSQL makes one implicit transaction, and the identity's settings are local to it: after
    /// success and after failure alike the connection is back at its login role. When a statement fails, those behind
    /// it are not run and nothing is kept.
    ///
    /// - Returns: one `Rows` a statement, in order.
    /// - Throws: `refused` with the first failing statement's error, `unavailable` when the connection was lost.
    public mutating func transaction(as identity: Identity, _ batch: [SQL]) throws(PostgresError) -> [Rows] {
        // Everything that can be refused here is refused before the first byte is queued.
        var rendered = [try Rendered(Self.assume(identity))]
        for statement in batch { rendered.append(try Rendered(statement)) }
        var expected: [Expected] = []
        guard PQenterPipelineMode(handle) == 1 else { throw .unavailable(reason: lastError()) }
        defer { _ = PQexitPipelineMode(handle) }
        for (index, statement) in rendered.enumerated() {
            try queue(statement, role: index == 0 ? "" : identity.role, into: &expected)
        }
        guard PQpipelineSync(handle) == 1 else { throw .unavailable(reason: lastError()) }
        return Array(try collect(expected).dropFirst())
    }

    /// Runs SQL text as psql would: several statements, no binds, no identity. For migrations and tests.
    public mutating func script(_ text: String) throws(PostgresError) {
        // A script may drop what statements were planned on or deallocate them; preparing anew is always right.
        defer { statements.forgetAll() }
        guard let result = PQexec(handle, text) else { throw .unavailable(reason: lastError()) }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: throw failure(of: result)
        }
    }

    /// Runs one statement as the login role, in whatever transaction `script` has open.
    public mutating func query(_ sql: SQL) throws(PostgresError) -> Rows {
        let statement = try Rendered(sql)
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

    /// Waits for a NOTIFY on a channel this connection LISTENs to.
    ///
    /// - Parameter timeout: longest wait in milliseconds.
    /// - Returns: the payloads that came, empty when none did.
    public mutating func notifications(timeout: Int32) throws(PostgresError) -> [String] {
        var payloads = takeNotifications()
        if payloads.isEmpty {
            var watched = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, timeout) > 0 else { return [] }
            guard PQconsumeInput(handle) == 1, isConnected else { throw .unavailable(reason: lastError()) }
            payloads = takeNotifications()
        }
        return payloads
    }

    // MARK: - The pipeline

    /// What the server will answer, in the order things were sent.
    private enum Expected {
        case prepared(StatementCache.Key, name: String)
        case dropped
        case rows
    }

    /// All local to the transaction; one statement, so that either all of it holds or nothing runs.
    private static func assume(_ identity: Identity) -> SQL {
        let settings = identity.settings.map { setting -> SQL in ", set_config(\(setting.name), \(setting.value), true)" }
        return settings.reduce(into: roleAndLimits(of: identity), +=)
    }

    private static func roleAndLimits(of identity: Identity) -> SQL {
        // Only ever on: finding out the claims may have made the transaction read-only, which nothing may undo.
        let readOnly: SQL = identity.isReadOnly ? ", set_config('transaction_read_only', 'on', true)" : ""
        return """
            select set_config('request.jwt.claims', \(identity.claims), true), \
            set_config('role', \(identity.role), true), \
            set_config('statement_timeout', \(identity.statementTimeout)::text, true), \
            set_config('application_name', \(identity.applicationName), true)
            """ + readOnly
    }

    private mutating func queue(
        _ statement: Rendered, role: String, into expected: inout [Expected]
    ) throws(PostgresError) {
        let key = StatementCache.Key(role: role, text: statement.text)
        let name: String
        if let known = statements.name(of: key) {
            name = known
        } else {
            if let old = statements.evict() {
                guard PQsendQueryParams(handle, "deallocate \(old)", 0, nil, nil, nil, nil, 0) == 1 else {
                    throw .unavailable(reason: lastError())
                }
                expected.append(.dropped)
            }
            name = statements.newName()
            guard PQsendPrepare(handle, name, statement.text, 0, nil) == 1 else { throw .unavailable(reason: lastError()) }
            expected.append(.prepared(key, name: name))
        }
        let sent = statement.withValues { values in
            PQsendQueryPrepared(handle, name, Int32(values.count), values, nil, nil, 0)
        }
        guard sent == 1 else { throw .unavailable(reason: lastError()) }
        expected.append(.rows)
    }

    /// Reads every answer up to the Sync, also behind an error, so that the next transaction starts clean.
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
                    statements.remember(key, as: name)
                    PQclear(result)
                case .dropped:
                    PQclear(result)
                case .rows:
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
                // The transaction failed at its end, in a deferred constraint or at COMMIT itself.
                error = error ?? failure(of: sync)
                while let extra = PQgetResult(handle) { PQclear(extra) }
                if let behind = PQgetResult(handle) { PQclear(behind) }
            }
            PQclear(sync)
        }
        if let error { throw error }
        guard isConnected else { throw .unavailable(reason: lastError()) }
        return rows
    }

    private func takeNotifications() -> [String] {
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        return payloads
    }

    // MARK: - Words

    private func lastError() -> String { String(cString: PQerrorMessage(handle)) }

    private func failure(of result: OpaquePointer) -> PostgresError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        // 'C', 'M', 'D', 'H', 'n' are PG_DIAG_* of postgres_ext.h: character constants Swift does not import.
        guard let sqlState = field(0x43), isConnected || !Self.endsTheConnection(sqlState) else {
            return .unavailable(reason: String(cString: PQresultErrorMessage(result)))
        }
        if Self.endsTheConnection(sqlState) { return .unavailable(reason: field(0x4D) ?? sqlState) }
        return .refused(
            .init(
                sqlState: sqlState, message: field(0x4D) ?? "", detail: field(0x44), hint: field(0x48),
                constraint: field(0x6E)))
    }

    /// 57P01 to 57P05: the server is shutting down, crashed, starting, dropping the database or ending idle sessions.
    private static func endsTheConnection(_ sqlState: String) -> Bool { sqlState.hasPrefix("57P") }
}

/// A statement as libpq wants it: text, and binds as C strings.
private struct Rendered {
    let text: String
    private var storage: [UInt8] = []
    /// Where each bind starts in `storage`; nil for NULL.
    private var offsets: [Int?] = []

    init(_ sql: SQL) throws(PostgresError) {
        text = sql.text
        for bind in sql.binds {
            guard let bind else {
                offsets.append(nil)
                continue
            }
            guard !bind.utf8.contains(0) else { throw .nulInText }
            offsets.append(storage.count)
            storage.append(contentsOf: bind.utf8)
            storage.append(0)
        }
    }

    func withValues<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        storage.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            return body(offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } })
        }
    }
}
