import Postgres

/// The queue of saved links, `private.jobs`, as one runner sees it. Every function is one transaction.
///
/// A job ends in the transaction that also updates the link: `finish`, `retry`, `postpone` and `bury` are statements
/// for it. Each fails with `lostLease` when the lease it names is not the newest.
public struct JobQueue {
    private let queue: LeasedQueue

    /// - Parameters:
    ///   - runner: names the runner on its leases, for people who look.
    ///   - lease: seconds a lease lasts without renewal.
    public init(_ database: Database, runner: String, lease: Int) {
        var table = Self.table
        table.onLease = "leased_by = \(runner), started_at = now(), updated_at = now()"
        queue = LeasedQueue(table, database, seconds: lease, applicationName: "lectern jobs")
    }

    private static let table: LeaseStatements = {
        var table = LeaseStatements("jobs", key: "id", keyType: "int8")
        table.interruptions = "interruptions"
        // A job that was handed back keeps its state, so that no other job of its link runs before it.
        table.isInterruption = "leased_by is not null"
        table.spreadsInterrupted = true
        return table
    }()

    /// Leases up to `count` jobs that are due, or whose lease has expired.
    ///
    /// Jobs of a higher priority come before others. Users take turns: the next job belongs to the user with the fewest
    /// running jobs, so one user's thousands of saves never delay another's. No user has more running jobs than
    /// `limits` allows.
    ///
    /// Jobs of one link run one after the other: a job would not see what another stores. A job that was interrupted or
    /// handed back is leased before all others, so that its former runner, should it be alive, has lost its lease.
    public func take(_ count: Int, limits: UserJobLimits = .unlimited) throws(PostgresError) -> [Job] {
        let rows: Rows
        do throws(PostgresError) {
            rows = try queue.lease(
                count, from: Self.inTurns(count, limits),
                returning: "id, user_id, link_id, lease, attempts + 1, interruptions, kind, priority")
        } catch .refused(let refusal) where refusal.constraint == Self.oneRunningJobPerLink {
            // Another runner leased a job of the same link at this moment. The other jobs can be leased at once.
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

    /// The index that refuses a second running job of a link.
    private static let oneRunningJobPerLink = "jobs_running"

    /// Renews the leases of running jobs.
    ///
    /// - Returns: the jobs whose lease is still held. A lease that has expired is held until another runner takes its
    ///   job.
    public func renew(_ jobs: [Job]) throws(PostgresError) -> Set<Job> {
        let held = try queue.renew(jobs.map(\.token))
        return Set(jobs.filter { held.contains($0.token) })
    }

    /// Hands jobs back, as if they had never been leased.
    ///
    /// - Parameters:
    ///   - delay: how long no runner should lease them.
    ///   - why: the reason, for the admin.
    public func handBack(_ jobs: [Job], after delay: Duration = .zero, _ why: JobFailure? = nil) throws(PostgresError) {
        try queue.change(
            jobs.map(\.token),
            set: """
                leased_until = now() + \(LeaseStatements.interval(delay)), leased_by = null,
                    reason = coalesce(\(why?.reason), reason), message = coalesce(\(why?.message), message)
                """)
    }

    /// When to look again, after no job could be leased.
    public enum Next: Equatable, Sendable {
        case due(milliseconds: Int)
        /// Jobs are due, and wait for a running job of their link or user to end.
        case held
    }

    /// - Parameter limit: the longest wait, in milliseconds.
    public func next(limit: Int) throws(PostgresError) -> Next {
        guard let wait = try queue.millisecondsToNext() else { return .due(milliseconds: limit) }
        return wait <= 0 ? .held : .due(milliseconds: min(wait, limit))
    }

    // MARK: - Statements that end a lease

    /// Ends a job that is done.
    ///
    /// - Parameter steps: the milliseconds of each step, stored with the job.
    public static func finish(_ job: Job, steps: [(step: String, milliseconds: Double)] = []) -> SQL {
        """
        select private.finish_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            (select jsonb_object_agg(step, milliseconds) from unnest(
                \(array: steps.map(\.step))::text[],
                \(array: steps.map { String(Int($0.milliseconds.rounded())) })::int[]
            ) as steps (step, milliseconds)))
        """
    }

    /// Puts a job back for later, as if it had not been tried.
    public static func postpone(_ job: Job, for delay: Duration) -> SQL {
        """
        select private.postpone_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            \(LeaseStatements.interval(delay)))
        """
    }

    /// Puts a job back for later, as another attempt.
    public static func retry(_ job: Job, after delay: Duration, _ failure: JobFailure) -> SQL {
        """
        select private.retry_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            \(LeaseStatements.interval(delay)), \(failure.reason), \(failure.message))
        """
    }

    /// Gives a job up and stores the reason.
    public static func bury(_ job: Job, _ failure: JobFailure) -> SQL {
        """
        select private.bury_job(\(job.id)::bigint, \(job.lease)::int, \(job.linkID)::uuid,
            \(failure.reason), \(failure.message))
        """
    }

    /// SQLSTATE of a statement whose lease was lost.
    public static let lostLease = "LJ001"
}

extension Job {
    fileprivate var token: Lease { Lease(key: String(id), number: lease) }
}
