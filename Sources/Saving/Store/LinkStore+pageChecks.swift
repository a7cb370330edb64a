import HTTPFetch
import Jobs
import Postgres

/// Stored checks of the link's page: the validators for the next request, and whether the page exists.
extension LinkStore {
    /// Statements that store the check at which the page was read; empty if there is nothing to store.
    func storePageCheck(_ saved: SavedURL, _ state: StoredState, _ outcome: SaveOutcome) -> [SQL] {
        guard job.kind == .save || job.kind == .refresh else { return [] }
        guard let fetched = outcome.fetched else {
            // The page has not changed, so the stored validators are still valid.
            guard state.copy != nil else { return [] }
            return [
                """
                update private.page_checks
                set visited_at = now(), read_at = now(), broken_since = null, reason = null, message = null
                where link_id = \(job.linkID)::uuid
                """
            ]
        }
        // The validators of another page than the article's would report no change while the article is of that other
        // page.
        let validators = outcome.isFetchedStored ? fetched.page.validators : nil
        guard validators != nil || state.hasPageCheck || job.kind == .refresh else { return [] }
        return [
            """
            insert into private.page_checks (link_id, user_id, asked_url, read_at, url, etag, last_modified)
            select links.id, links.user_id, \(saved.url), now(),
                \(validators?.url), \(validators?.etag), \(validators?.lastModified)
            from public.links where \(isStill(saved))
            on conflict on constraint page_checks_pkey do update set
                asked_url = excluded.asked_url, visited_at = now(), read_at = excluded.read_at,
                url = excluded.url, etag = excluded.etag, last_modified = excluded.last_modified,
                broken_since = null, reason = null, message = null
            """
        ]
    }

    /// - Parameter column: the column of the URL; those of the entity tag and the date follow.
    func validators(_ row: Rows, from column: Int) -> Validators? {
        row.text(0, column).flatMap {
            Validators(url: $0, etag: row.text(0, column + 1), lastModified: row.text(0, column + 2))
        }
    }

    /// The result of a check.
    enum Finding: Sendable, Equatable {
        case exists
        /// The page cannot be fetched, with the reason for the link's owner.
        case isBroken(JobFailure)
        /// The page may exist.
        case unknown
    }

    /// Ends a check that found the page. A page that could not be fetched when its link was saved is saved again.
    func storeSuccessfulCheck(_ state: StoredState, steps: [(step: String, milliseconds: Double)]) throws(SaveError) {
        var batch = pageCheck(state.saved, .exists)
        if state.hasFailed {
            batch.append(
                """
                update public.links set state = 'pending', reason = null, reason_message = null
                where \(isStill(state.saved)) and state = 'failed'
                """)
        }
        batch += [notify, Self.asRunner]
        if state.hasFailed { batch.append("select private.queue_recovered_page(\(job.linkID)::uuid)") }
        try write(batch + [JobQueue.finish(job, steps: steps)])
    }

    /// Ends a recheck that could not fetch the page.
    func storeFailedCheck(_ saved: SavedURL, _ finding: Finding) throws(SaveError) {
        try write(pageCheck(saved, finding) + [notify, Self.asRunner, JobQueue.finish(job)])
    }

    private func pageCheck(_ saved: SavedURL, _ finding: Finding) -> [SQL] {
        let why: JobFailure? = if case .isBroken(let why) = finding { why } else { nil }
        let (isKnown, isRefresh) = (finding != .unknown, job.kind == .refresh)
        return [
            // A check of the link's former URL says nothing about the current one.
            "delete from private.page_checks where link_id = \(job.linkID)::uuid and asked_url <> \(saved.url)",
            """
            insert into private.page_checks (link_id, user_id, asked_url, read_at, broken_since, reason, message)
            select links.id, links.user_id, \(saved.url), case when \(isRefresh) then now() end,
                case when \(why?.reason)::text is not null then now() end, \(why?.reason), \(why?.message)
            from public.links where \(isStill(saved))
            on conflict on constraint page_checks_pkey do update set
                visited_at = now(),
                -- A failed check counts too, so that other pages come first.
                read_at = coalesce(excluded.read_at, page_checks.read_at),
                broken_since = case
                    when not \(isKnown) then page_checks.broken_since
                    when excluded.reason is not null then coalesce(page_checks.broken_since, now())
                    end,
                reason = case when \(isKnown) then excluded.reason else page_checks.reason end,
                message = case when \(isKnown) then excluded.message else page_checks.message end
            """,
        ]
    }
}
