import Postgres

/// The queue: `private.jobs`, as one runner sees it. Every function is one transaction.
public struct Queue {
    private let database: Database
    /// Names the runner on its leases; no two alive share one.
    private let runner: String
    /// Seconds a lease holds without renewal.
    private let lease: Int

    private static let identity = Identity(role: "none", statementTimeout: 30_000, applicationName: "lectern jobs")

    public init(_ database: Database, runner: String, lease: Int) {
        self.database = database
        self.runner = runner
        self.lease = lease
    }

    /// Leases up to `count` jobs that are due, or whose runner has not been heard of for a whole lease.
    public func take(_ count: Int) throws(PostgresError) -> [Job] {
        let rows = try run(
            """
            update private.jobs
            set state = 'running', attempts = attempts + 1, leased_by = \(runner),
                leased_until = now() + make_interval(secs => \(lease)::int), updated_at = now()
            where id in (
                select id from private.jobs
                where (state = 'pending' and run_at <= now()) or (state = 'running' and leased_until < now())
                order by run_at, id
                limit \(count)::int
                for update skip locked
            )
            returning id, user_id, link_id, attempts
            """)
        return (0..<rows.count).compactMap { row in
            guard let id = rows.int(row, 0), let user = rows.text(row, 1), let link = rows.text(row, 2),
                let attempt = rows.int(row, 3)
            else { return nil }
            return Job(id: id, userID: user, linkID: link, attempt: attempt)
        }
    }

    /// Says that the runner is alive and at work on these jobs.
    public func renew(_ jobs: [Int]) throws(PostgresError) {
        _ = try run(
            """
            update private.jobs set leased_until = now() + make_interval(secs => \(lease)::int)
            where id = any(\(array: jobs.map(String.init))::bigint[]) and state = 'running' and leased_by = \(runner)
            """)
    }

    /// Puts a job back for later.
    public func retry(_ job: Job, after delay: Duration, _ failure: JobFailure) throws(PostgresError) {
        _ = try run(
            """
            select private.retry_job(\(job.id)::bigint, \(runner),
                make_interval(secs => \(String(delay.seconds))::double precision), \(failure.reason), \(failure.message))
            """)
    }

    /// Gives a job up, kept with its reason.
    public func bury(_ job: Job, _ failure: JobFailure) throws(PostgresError) {
        _ = try run(Self.burial(of: job, by: runner, failure))
    }

    /// The statement of `bury`, for a transaction that also marks the link.
    public static func burial(of job: Job, by runner: String, _ failure: JobFailure) -> SQL {
        """
        update private.jobs
        set state = 'buried', leased_by = null, leased_until = null, reason = \(failure.reason),
            message = \(failure.message), updated_at = now()
        where id = \(job.id)::bigint and state = 'running' and leased_by = \(runner)
        """
    }

    /// Hands jobs back that were leased but not worked on, as if they had never been leased.
    public func release(_ jobs: [Int]) throws(PostgresError) {
        _ = try run(
            """
            update private.jobs
            set leased_until = now(), attempts = greatest(attempts - 1, 0), leased_by = null
            where id = any(\(array: jobs.map(String.init))::bigint[]) and state = 'running' and leased_by = \(runner)
            """)
    }

    /// Milliseconds until the next waiting job is due, at most `most`.
    public func millisecondsToNext(most: Int) throws(PostgresError) -> Int {
        let rows = try run(
            """
            select least(\(most)::int, greatest(0, coalesce(ceil(extract(epoch from (
                select min(due) from (
                    (select run_at as due from private.jobs where state = 'pending' order by run_at limit 1)
                    union all
                    (select leased_until from private.jobs where state = 'running' order by leased_until limit 1)
                ) as next
            ) - now()) * 1000), \(most)::int)))::int
            """)
        return rows.int(0, 0) ?? most
    }

    private func run(_ sql: SQL) throws(PostgresError) -> Rows {
        try database.transaction(as: Self.identity, [sql])[0]
    }
}

extension Duration {
    /// Seconds with fractions.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
