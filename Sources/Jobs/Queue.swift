import Postgres

/// The queue: `private.jobs`, as one runner sees it. Every function is one transaction.
///
/// How a job ends is said in the transaction that also says it on the link: `finish`, `retry` and `bury` are statements
/// for it. Each fails with `lostLease` when the lease it names is not the newest.
public struct Queue {
    private let database: Database
    /// Names the runner on its leases, for people who look.
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
    ///
    /// Jobs of a higher priority come before others. Among users each has a turn: next is who has fewest running, so that one
    /// who saves thousands of links keeps nobody waiting; and no user has more than a share of the places.
    ///
    /// Of a link one job runs at a time, and the others wait for it: they would not see what it stores. One that was
    /// interrupted or handed back is taken again before all others, so that its runner, should it be alive, has lost its lease.
    ///
    /// A job that was interrupted gets a longer lease, of random length: jobs whose process died together come back
    /// apart, so that the one that killed it takes the others along no second time.
    public func take(_ count: Int, shares: UserJobLimits = .unlimited) throws(PostgresError) -> [Job] {
        let rows: Rows
        do throws(PostgresError) {
            rows = try run(Self.take(count, shares, for: runner, seconds: lease))
        } catch .refused(let refusal) where refusal.constraint == Self.oneOfALink {
            // Another runner took one of the same link at this very moment. The rest is there to be taken at once.
            return []
        }
        return (0..<rows.count).compactMap { row in
            guard let id = rows.int(row, 0), let user = rows.text(row, 1), let link = rows.text(row, 2),
                let lease = rows.int(row, 3), let attempt = rows.int(row, 4), let interruptions = rows.int(row, 5),
                let kind = rows.text(row, 6).flatMap(Job.Kind.init)
            else { return nil }
            return Job(
                id: id, userID: user, linkID: link, lease: lease, attempt: attempt, interruptions: interruptions,
                kind: kind, isAwaited: rows.int(row, 7) == 0)
        }
    }

    /// The crowd is found by one look at the index for each user of each priority, and of each user no more jobs are read than
    /// there are places: however long the queue is. Of the jobs of a link the first counts; without `case` PostgreSQL would ask
    /// other indexes for all jobs that are due, for each of them.
    private static func take(_ count: Int, _ shares: UserJobLimits, for runner: String, seconds: Int) -> SQL {
        """
        with recursive crowd (priority, user_id) as (
            (select priority, user_id from private.jobs where state = 'pending' order by priority, user_id limit 1)
            union all
            select further.* from crowd, lateral (
                select priority, user_id from private.jobs
                where state = 'pending' and (priority, user_id) > (crowd.priority, crowd.user_id)
                order by priority, user_id
                limit 1
            ) as further
        ), turns as (
            select waiting.id, crowd.priority, waiting.run_at,
                busy.jobs + row_number() over (partition by crowd.priority, crowd.user_id order by waiting.run_at, waiting.id) as turn
            from crowd, lateral (
                select count(*) as jobs from private.jobs where state = 'running' and user_id = crowd.user_id
            ) as busy, lateral (
                select id, run_at from private.jobs
                where state = 'pending' and priority = crowd.priority and user_id = crowd.user_id and run_at <= now() and not exists (
                    select from private.jobs other
                    where other.link_id = jobs.link_id and case other.state
                        when 'running' then true
                        when 'pending' then other.run_at <= now()
                            and (other.kind <> 'save', other.run_at, other.id) < (jobs.kind <> 'save', jobs.run_at, jobs.id)
                        end)
                order by run_at, id
                limit greatest(0, least(\(count)::int, (\(array: shares.places.map(String.init))::int[])[crowd.priority + 1] - busy.jobs))
            ) as waiting
        )
        update private.jobs
        set state = 'running', lease = jobs.lease + 1, interruptions = due.interruptions, leased_by = \(runner),
            leased_until = now() + make_interval(secs => \(seconds)::int * (1 + due.interruptions * random())),
            started_at = now(), updated_at = now()
        from (
            select found.*
            from (
                select * from (
                    select id, interruptions + (leased_by is not null)::int as interruptions
                    from private.jobs
                    where state = 'running' and leased_until < now()
                    order by leased_until, id
                    limit \(count)::int
                    for update skip locked
                ) as interrupted
                union all
                select * from (
                    select jobs.id, jobs.interruptions
                    from turns join private.jobs on jobs.id = turns.id
                    where jobs.state = 'pending'
                    order by turns.priority, turns.turn, turns.run_at, turns.id
                    limit \(count)::int
                    for update of jobs skip locked
                ) as waiting
            ) as found
            limit \(count)::int
        ) as due
        where jobs.id = due.id
        returning jobs.id, user_id, link_id, jobs.lease, attempts + 1, jobs.interruptions, jobs.kind, jobs.priority
        """
    }

    /// The index that refuses a second running job of a link.
    private static let oneOfALink = "jobs_running"

    /// Says that the runner is alive and at work on these jobs.
    ///
    /// - Returns: those whose lease still is ours. One that had run out is ours again unless another took it.
    public func renew(_ jobs: [Job]) throws(PostgresError) -> Set<Job> {
        let rows = try run(
            """
            update private.jobs
            set leased_until = greatest(leased_until, now() + make_interval(secs => \(lease)::int))
            from \(Self.leases(jobs))
            where \(Self.isHeld)
            returning jobs.id
            """)
        let held = Set((0..<rows.count).compactMap { rows.int($0, 0) })
        return Set(jobs.filter { held.contains($0.id) })
    }

    /// Hands jobs back, as if they had never been leased.
    ///
    /// - Parameters:
    ///   - delay: how long nobody should take them.
    ///   - why: what to tell the admin meanwhile.
    public func handBack(
        _ jobs: [Job], after delay: Duration = .zero, _ why: JobFailure? = nil
    ) throws(PostgresError) {
        _ = try run(
            """
            update private.jobs
            set leased_until = now() + \(Self.interval(delay)), leased_by = null,
                reason = coalesce(\(why?.reason), reason), message = coalesce(\(why?.message), message)
            from \(Self.leases(jobs))
            where \(Self.isHeld)
            """)
    }

    /// When to look again, after nothing could be taken.
    public enum Next: Equatable, Sendable {
        /// In so many milliseconds a job comes due.
        case due(milliseconds: Int)
        /// Some are due, and wait for a running one to end: of their link, or of their user.
        case held
    }

    /// - Parameter most: the longest wait, in milliseconds.
    public func next(most: Int) throws(PostgresError) -> Next {
        let rows = try run(
            """
            select ceil(extract(epoch from (
                select min(due) from (
                    (select run_at as due from private.jobs where state = 'pending' order by run_at limit 1)
                    union all
                    (select leased_until from private.jobs where state = 'running' order by leased_until limit 1)
                ) as next
            ) - now()) * 1000)::bigint
            """)
        guard let wait = rows.int(0, 0) else { return .due(milliseconds: most) }
        return wait <= 0 ? .held : .due(milliseconds: min(wait, most))
    }

    // MARK: - Statements that end a lease

    /// Ends a job that is done.
    ///
    /// - Parameter steps: where its time went, in milliseconds; remembered with it.
    public static func finish(_ job: Job, steps: [(step: String, milliseconds: Double)] = []) -> SQL {
        """
        select private.finish_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            (select jsonb_object_agg(step, milliseconds) from unnest(
                \(array: steps.map(\.step))::text[], \(array: steps.map { String(Int($0.milliseconds.rounded())) })::int[]
            ) as steps (step, milliseconds)))
        """
    }

    /// Puts a job back for later, as if it had not been tried.
    public static func postpone(_ job: Job, for delay: Duration) -> SQL {
        "select private.postpone_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid, \(interval(delay)))"
    }

    /// Puts a job back for later, as another attempt.
    public static func retry(_ job: Job, after delay: Duration, _ failure: JobFailure) -> SQL {
        """
        select private.retry_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid, \(interval(delay)),
            \(failure.reason), \(failure.message))
        """
    }

    /// Gives a job up, kept with its reason.
    public static func bury(_ job: Job, _ failure: JobFailure) -> SQL {
        """
        select private.bury_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            \(failure.reason), \(failure.message))
        """
    }

    /// SQLSTATE of a statement whose lease was lost.
    public static let lostLease = "LJ001"

    // MARK: - Words

    private static func leases(_ jobs: [Job]) -> SQL {
        """
        unnest(\(array: jobs.map { String($0.id) })::bigint[], \(array: jobs.map { String($0.lease) })::int[])
            as held (id, lease)
        """
    }

    private static let isHeld: SQL = "jobs.id = held.id and jobs.lease = held.lease and jobs.state = 'running'"

    private static func interval(_ duration: Duration) -> SQL {
        "make_interval(secs => \(String(duration.seconds))::double precision)"
    }

    private func run(_ sql: SQL) throws(PostgresError) -> Rows {
        try database.transaction(as: Self.identity, [sql])[0]
    }
}

extension Duration {
    /// Seconds with fractions.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
