import HTTPFetch
import Jobs
import Postgres

/// Visits to the link's page: what to ask for the next time, and whether the page is there at all.
extension LinkStore {
    /// Statements that remember the visit at which the page was read, where there is something to remember.
    func remember(_ saved: SavedURL, _ kept: StoredState, _ outcome: SaveOutcome) -> [SQL] {
        guard job.kind == .save || job.kind == .refresh else { return [] }
        guard let fetched = outcome.pages.first(where: { $0.place == nil }) else {
            // What the site said of it then still holds.
            guard kept.copy != nil else { return [] }
            return [
                """
                update private.visits set visited_at = now(), read_at = now(), broken_since = null, reason = null, message = null
                where link_id = \(job.linkID)::uuid
                """
            ]
        }
        // Those of a page that the article was not made from would say that nothing has changed while the article is another.
        let validators = outcome.stored == fetched ? fetched.page.validators : nil
        guard validators != nil || kept.hasVisit || job.kind == .refresh else { return [] }
        return [
            """
            insert into private.visits (link_id, user_id, asked_url, read_at, url, etag, last_modified)
            select links.id, links.user_id, \(saved.url), now(), \(validators?.url), \(validators?.etag), \(validators?.lastModified)
            from public.links where \(isStill(saved))
            on conflict on constraint visits_pkey do update set
                asked_url = excluded.asked_url, visited_at = now(), read_at = excluded.read_at, url = excluded.url, etag = excluded.etag,
                last_modified = excluded.last_modified, broken_since = null, reason = null, message = null
            """
        ]
    }

    /// What is known of the page to who only asks whether it is there.
    struct Known: Sendable, Equatable {
        var copy: Validators?
        /// It could not be had when its link was saved.
        var hasFailed = false
    }

    func known() throws(PostgresError) -> Known {
        let row = try database.transaction(
            as: owner,
            [
                """
                select visits.url, visits.etag, visits.last_modified, links.state = 'failed' and links.reason is distinct from 'cancelled'
                from public.links left join private.visits on visits.link_id = links.id and visits.asked_url = links.raw_url
                where links.id = \(job.linkID)::uuid
                """
            ])[0]
        return row.count == 1 ? Known(copy: validators(row, from: 0), hasFailed: row.bool(0, 3) ?? false) : Known()
    }

    /// - Parameter column: of the URL; the tag and the date follow.
    func validators(_ row: Rows, from column: Int) -> Validators? {
        row.text(0, column).flatMap { Validators(url: $0, etag: row.text(0, column + 1), lastModified: row.text(0, column + 2)) }
    }

    /// What a visit told of the page.
    enum Finding: Sendable, Equatable {
        case isThere
        /// It cannot be had; why, in words for the link's owner.
        case isBroken(JobFailure)
        /// Nothing: it may be there all the same.
        case nothing
    }

    /// Ends a job that found the page there. One that could not be had when the link was saved is fetched after all.
    func found(_ saved: SavedURL, hadFailed: Bool, steps: [(step: String, milliseconds: Double)]) throws(PostgresError) {
        let isBack: SQL = "update public.links set state = 'pending', reason = null, reason_message = null where \(isStill(saved)) and state = 'failed'"
        _ = try database.transaction(
            as: owner,
            visit(saved, .isThere) + (hadFailed ? [isBack] : []) + [tell, Self.asRunner]
                + (hadFailed ? ["select private.save_again(\(job.linkID)::uuid)"] : []) + [JobQueue.finish(job, steps: steps)])
    }

    /// Ends a job that did not get the page.
    func missed(_ saved: SavedURL, _ finding: Finding) throws(PostgresError) {
        _ = try database.transaction(as: owner, visit(saved, finding) + [tell, Self.asRunner, JobQueue.finish(job)])
    }

    private func visit(_ saved: SavedURL, _ finding: Finding) -> [SQL] {
        let why: JobFailure? = if case .isBroken(let why) = finding { why } else { nil }
        let (tells, isRefresh) = (finding != .nothing, job.kind == .refresh)
        return [
            // Of another address nothing is known.
            "delete from private.visits where link_id = \(job.linkID)::uuid and asked_url <> \(saved.url)",
            """
            insert into private.visits (link_id, user_id, asked_url, read_at, broken_since, reason, message)
            select links.id, links.user_id, \(saved.url), case when \(isRefresh) then now() end,
                case when \(why?.reason)::text is not null then now() end, \(why?.reason), \(why?.message)
            from public.links where \(isStill(saved))
            on conflict on constraint visits_pkey do update set
                visited_at = now(),
                -- Also in vain: its turn comes again when the others have had theirs.
                read_at = coalesce(excluded.read_at, visits.read_at),
                broken_since = case
                    when not \(tells) then visits.broken_since
                    when excluded.reason is not null then coalesce(visits.broken_since, now())
                    end,
                reason = case when \(tells) then excluded.reason else visits.reason end,
                message = case when \(tells) then excluded.message else visits.message end
            """,
        ]
    }
}
