import Jobs
import Postgres

extension LinkStore {
    /// Selects the quota that keeps the page from being fetched; nil where no quota applies to the job.
    func excessQuery(_ quotas: Quotas) -> SQL? {
        guard quotas.areSet, job.kind == .save || job.kind == .refresh else { return nil }
        return """
            select reason, message, seconds
            from private.exceeded_quota(\(job.userID)::uuid, \(quotas.storage)::bigint, \(quotas.fetches)::bigint)
            """
    }

    func excess(_ rows: Rows) -> Quotas.Excess? {
        guard rows.count == 1, let reason = rows.text(0, 0), let message = rows.text(0, 1) else { return nil }
        let failure = SaveError.Failure(cause: JobFailure(reason: reason, message: message), isRetryable: false)
        return rows.int(0, 2).map { .fetches(failure, wait: .seconds($0)) } ?? .storage(failure)
    }

    /// Puts the job back for later, as if it had not been tried.
    ///
    /// - Parameter why: the reason to store on the link; nil: none.
    func postpone(_ saved: SavedURL, for delay: Duration, _ why: JobFailure? = nil) throws(SaveError) {
        let onLink: [SQL] =
            why.map { why in
                [
                    """
                    update public.links set reason = \(why.reason), reason_message = \(why.message)
                    where \(isStill(saved)) and reason is distinct from \(why.reason)
                    """, notify,
                ]
            } ?? []
        try write(onLink + [Self.asRunner, JobQueue.postpone(job, for: delay)])
    }
}
