import Jobs
import Postgres

extension LinkStore {
    /// What of its user's quotas keeps the link from being fetched; nil where nothing does.
    func inTheWay(_ quotas: Quotas) throws(PostgresError) -> Quotas.InTheWay? {
        guard quotas.areSet else { return nil }
        let rows = try database.transaction(
            as: owner,
            [
                """
                select reason, message, seconds
                from private.quota_in_the_way(\(job.userID)::uuid, \(quotas.storage)::bigint, \(quotas.fetches)::bigint)
                """
            ])[0]
        guard rows.count == 1, let reason = rows.text(0, 0), let message = rows.text(0, 1) else { return nil }
        let failure = SaveError.Failure(cause: JobFailure(reason: reason, message: message), isRetryable: false)
        return rows.int(0, 2).map { .fetchedEnough(failure, wait: .seconds($0)) } ?? .full(failure)
    }

    /// Puts the job back until it may go on, as if it had not been tried; and says why on the link, where there is something to say.
    func postpone(_ saved: SavedURL, for delay: Duration, _ why: JobFailure? = nil) throws(PostgresError) {
        let said: [SQL] =
            why.map { why in
                [
                    "update public.links set reason = \(why.reason), reason_message = \(why.message) where \(isStill(saved)) and reason is distinct from \(why.reason)", tell,
                ]
            } ?? []
        _ = try database.transaction(as: owner, said + [Self.asRunner, JobQueue.postpone(job, for: delay)])
    }
}
