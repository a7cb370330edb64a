import Postgres

/// The jobs of one ``LeaseStatements``, as one worker sees them. Every function is one transaction.
public struct LeasedQueue {
    public let table: LeaseStatements
    private let database: Database
    private let identity: Identity
    /// Seconds a lease lasts without renewal.
    private let seconds: Int

    /// - Parameters:
    ///   - seconds: how long a lease lasts without renewal.
    ///   - applicationName: shown in `pg_stat_activity`.
    public init(_ table: LeaseStatements, _ database: Database, seconds: Int, applicationName: String) {
        self.table = table
        self.database = database
        self.seconds = seconds
        identity = Identity(role: "none", statementTimeout: 30_000, applicationName: applicationName)
    }

    /// Leases at most `count` rows; see ``LeaseStatements/leasing(_:seconds:from:returning:)``.
    public func lease(
        _ count: Int = 1, from candidates: SQL? = nil, returning columns: SQL
    ) throws(PostgresError) -> Rows {
        try run(table.leasing(count, seconds: seconds, from: candidates, returning: columns))
    }

    /// Renews leases.
    ///
    /// - Returns: the leases that are still held. A lease that has expired is held until somebody else leases its row.
    @discardableResult
    public func renew(_ leases: [Lease]) throws(PostgresError) -> Set<Lease> {
        guard !leases.isEmpty else { return [] }
        let rows = try run(table.renewing(leases, seconds: seconds))
        let held = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        return Set(leases.filter { held.contains($0.key) })
    }

    /// Renews a lease and changes its row.
    ///
    /// - Returns: false where the lease was lost.
    public func renew(_ lease: Lease, set assignments: SQL) throws(PostgresError) -> Bool {
        try change(
            lease, set: "\(assignments), \(name: table.leasedUntil) = now() + make_interval(secs => \(seconds)::int)")
    }

    /// Changes leased rows; leases that were lost are left alone.
    public func change(_ leases: [Lease], set assignments: SQL) throws(PostgresError) {
        _ = try run(table.changing(leases, set: assignments))
    }

    /// Changes a leased row.
    ///
    /// - Returns: false where the lease was lost.
    @discardableResult
    public func change(_ lease: Lease, set assignments: SQL) throws(PostgresError) -> Bool {
        try run(table.changing(lease, set: assignments)).affected == 1
    }

    /// The milliseconds until the next row may be leased; nil where there is none, negative where one is overdue.
    ///
    /// - Parameter others: tables that the same worker serves.
    public func millisecondsToNext(beside others: [LeaseStatements] = []) throws(PostgresError) -> Int? {
        try run(LeaseStatements.millisecondsToNext(of: [table] + others)).int(0, 0)
    }

    /// Runs a statement of this queue as a transaction of its own.
    @discardableResult
    public func run(_ statement: SQL) throws(PostgresError) -> Rows {
        try database.transaction(as: identity, [statement])[0]
    }
}
