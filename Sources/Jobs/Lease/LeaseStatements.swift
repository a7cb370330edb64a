import Postgres

/// Describes a table of schema `private` whose rows are jobs, and builds the statements that lease, renew and end them.
///
/// A row waits in one state until it is due. A lease moves it into another state until `leasedUntil`, which the worker
/// renews. A row whose lease has expired was interrupted: its process died or hung, and the row may be leased again.
public struct LeaseStatements: Sendable {
    public var name: String
    /// The column of the primary key.
    public var key: String
    /// The SQL type of the primary key.
    public var keyType: String
    /// The column that counts the leases of a row; see ``Lease``.
    public var leaseNumber = "lease"
    /// The state of a row that waits.
    public var waiting = "pending"
    /// The state of a leased row. Where it equals `waiting`, a lease only moves `due` into the future.
    public var running = "running"
    /// The column with the time from which a waiting row may be leased.
    public var due = "run_at"
    /// The column with the end of the lease.
    public var leasedUntil = "leased_until"
    /// The column that counts leases in a row that were interrupted; nil where the table does not count them.
    public var interruptions: String?
    /// Whether an expired lease counts as an interruption.
    public var isInterruption: SQL = "true"
    /// Whether an interrupted row gets a longer lease of random length: rows whose process died together then come back
    /// apart, so that the one that killed the process does not take the others along a second time.
    public var spreadsInterrupted = false
    /// What else must hold for a row to be leased.
    public var condition: SQL = "true"
    /// Further assignments of the statement that leases.
    public var onLease: SQL?

    public init(_ name: String, key: String, keyType: String) {
        self.name = name
        self.key = key
        self.keyType = keyType
    }

    private var table: SQL { .name("private", name) }

    /// A column, qualified by the table.
    private func column(_ column: String) -> SQL { .name(name, column) }

    /// Whether expired leases and waiting rows are told apart by their state.
    private var hasRunningState: Bool { running != waiting }

    // MARK: - Statements

    /// Leases rows whose lease has expired, then waiting rows that are due, the oldest first.
    ///
    /// The two are looked up separately, since each has its own index and one query for both would read and sort every
    /// waiting row. The chosen rows are materialized: a plan that ran the subquery again would lock further rows.
    ///
    /// - Parameters:
    ///   - count: the largest number of rows.
    ///   - seconds: how long the leases last without renewal.
    ///   - candidates: selects the keys of at most `count` waiting rows and locks them; nil: those that have been due
    ///     longest.
    ///   - columns: what to return of each row.
    public func leasing(_ count: Int, seconds: Int, from candidates: SQL? = nil, returning columns: SQL) -> SQL {
        let expired: SQL = """
            select * from (
                select \(name: key) as due_key, (\(isInterruption))::int as interrupted from \(table)
                where state = \(constant: running) and \(name: leasedUntil) < now() and (\(condition))
                order by \(name: leasedUntil) limit \(limit(count))
                for update skip locked
            ) as expired
            union all

            """
        return """
            with due as materialized (
                select * from (
                    \(hasRunningState ? expired : "")select *, 0 from (
                        \(candidates ?? oldest(count))
                    ) as waiting (due_key)
                ) as found
                limit \(limit(count))
            )
            update \(table)
            set state = \(constant: running), \(name: leaseNumber) = \(column(leaseNumber)) + 1,
                \(name: leasedUntil) = now() + make_interval(secs => \(seconds)::int\(longer))\(counted)
                \(onLease.map { ", " + $0 } ?? "")
            from due
            where \(column(key)) = due.due_key
            returning \(columns)
            """
    }

    private func oldest(_ count: Int) -> SQL {
        """
        select \(name: key) from \(table)
        where state = \(constant: waiting) and \(name: due) <= now() and (\(condition))
        order by \(name: due) limit \(limit(count))
        for update skip locked
        """
    }

    /// A limit of one is no bind, since the planner must know it: for a bind it would expect a tenth of the table.
    private func limit(_ count: Int) -> SQL { count == 1 ? "1" : "\(count)::int" }

    private var counted: SQL {
        interruptions.map { ", \(name: $0) = \(column($0)) + due.interrupted" } ?? ""
    }

    private var longer: SQL {
        guard spreadsInterrupted, let interruptions else { return "" }
        return " * (1 + (\(column(interruptions)) + due.interrupted) * random())"
    }

    /// Changes one leased row, unless the lease was lost.
    ///
    /// - Parameter assignments: such as `state = 'done'`.
    public func changing(_ lease: Lease, set assignments: SQL) -> SQL {
        "update \(table) set \(assignments) where \(isHeld(lease))"
    }

    /// Changes all rows of these leases that are still held, and returns their keys.
    public func changing(_ leases: [Lease], set assignments: SQL) -> SQL {
        """
        update \(table) set \(assignments)
        from unnest(
            \(array: leases.map(\.key))::\(name: keyType)[], \(array: leases.map { String($0.number) })::int[]
        ) as held (key, number)
        where \(column(key)) = held.key and \(column(leaseNumber)) = held.number and state = \(constant: running)
        returning held.key
        """
    }

    /// Deletes one leased row, unless the lease was lost.
    public func deleting(_ lease: Lease) -> SQL { "delete from \(table) where \(isHeld(lease))" }

    /// Renews the leases that are still held, and returns their keys. A renewal never shortens a lease.
    ///
    /// A row that another transaction has locked is not waited for, since the transaction may wait for another of these
    /// rows. Its lease is held, and renewed the next time.
    public func renewing(_ leases: [Lease], seconds: Int) -> SQL {
        """
        with held as (
            select given.key, given.number
            from \(table) join unnest(
                \(array: leases.map(\.key))::\(name: keyType)[], \(array: leases.map { String($0.number) })::int[]
            ) as given (key, number) on \(column(key)) = given.key and \(column(leaseNumber)) = given.number
            where state = \(constant: running)
        ), free as (
            select held.key
            from \(table) join held on \(column(key)) = held.key and \(column(leaseNumber)) = held.number
            where state = \(constant: running)
            for update of \(name: name) skip locked
        ), renewed as (
            update \(table)
            set \(name: leasedUntil) = greatest(\(column(leasedUntil)), now() + make_interval(secs => \(seconds)::int))
            from free where \(column(key)) = free.key
        )
        select key from held
        """
    }

    /// Assignments that return a leased row to the waiting ones.
    ///
    /// - Parameter delay: how long it is not leased again.
    public func waitingAgain(after delay: Duration) -> SQL { waitingAgain(after: LeaseStatements.interval(delay)) }

    /// The same with an expression that yields PostgreSQL's interval.
    public func waitingAgain(after delay: SQL) -> SQL {
        let times: SQL = "\(name: due) = now() + \(delay)"
        return hasRunningState ? "state = \(constant: waiting), \(times), \(name: leasedUntil) = null" : times
    }

    private func isHeld(_ lease: Lease) -> SQL {
        """
        \(name: key) = \(lease.key)::\(name: keyType) and \(name: leaseNumber) = \(lease.number)::int \
        and state = \(constant: running)
        """
    }

    // MARK: - The next row

    /// Two selects of one column: when the next waiting row is due, and when the next lease expires.
    private var nextTimes: [SQL] {
        let next: SQL = """
            (select \(name: due) from \(table)
                where state = \(constant: waiting) and (\(condition)) order by \(name: due) limit 1)
            """
        let expiring: SQL = """
            (select \(name: leasedUntil) from \(table)
                where state = \(constant: running) order by \(name: leasedUntil) limit 1)
            """
        return hasRunningState ? [next, expiring] : [next]
    }

    /// The milliseconds until the next row of these tables may be leased: null where there is none, negative where one
    /// is overdue.
    ///
    /// - Parameter others: further selects of one time each, in parentheses.
    public static func millisecondsToNext(of tables: [LeaseStatements], or others: [SQL] = []) -> SQL {
        """
        select ceil(extract(epoch from min(due) - now()) * 1000)::bigint from (
        \((tables.flatMap(\.nextTimes) + others).joined(separator: "\nunion all\n"))
        ) as next (due)
        """
    }

    /// A duration as PostgreSQL's interval.
    public static func interval(_ duration: Duration) -> SQL {
        "make_interval(secs => \(String(duration.seconds))::double precision)"
    }
}

extension SQL.StringInterpolation {
    /// A constant in quotes, not as a bind, so that the planner can use a partial index. Must not contain a quote.
    fileprivate mutating func appendInterpolation(constant word: String) { appendLiteral("'\(word)'") }
}

extension Duration {
    /// Seconds with fractions.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
