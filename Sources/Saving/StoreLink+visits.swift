import HTTPFetch
import Jobs
import Postgres

/// Visits to the link's page: what to ask for the next time, and whether the page is there at all.
extension StoreLink {
    /// Statements that remember the visit at which the page was read, where there is something to remember.
    func remember(_ saved: SavedURL, _ kept: Kept, _ outcome: Outcome) -> [SQL] {
        guard job.kind == .save || job.kind == .refresh else { return [] }
        guard let fetched = outcome.pages.first(where: { $0.place == nil }) else {
            // What the site said of it then still holds.
            return kept.copy == nil ? [] : [isThere("read_at = now()")]
        }
        let validators = fetched.page.validators
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

    private func isThere(_ more: SQL) -> SQL {
        """
        update private.visits set visited_at = now(), broken_since = null, reason = null, message = null, \(more)
        where link_id = \(job.linkID)::uuid
        """
    }

    /// Ends a job that found the page there. One that could not be had when the link was saved is fetched after all.
    func found(_ saved: SavedURL, hadFailed: Bool, steps: [(step: String, milliseconds: Double)]) throws(PostgresError) {
        let isBack: SQL = "update public.links set state = 'pending', reason = null, reason_message = null where \(isStill(saved)) and state = 'failed'"
        _ = try database.transaction(
            as: owner,
            [visit(saved, nil)] + (hadFailed ? [isBack] : []) + [tell, Self.asRunner]
                + (hadFailed ? ["select private.save_again(\(job.linkID)::uuid)"] : []) + [Queue.finish(job, steps: steps)])
    }

    /// Ends a job that did not get the page.
    ///
    /// - Parameter why: in words for the link's owner; nil where it may be there all the same.
    func missed(_ saved: SavedURL, _ why: JobFailure?) throws(PostgresError) {
        _ = try database.transaction(as: owner, [visit(saved, why), tell, Self.asRunner, Queue.finish(job)])
    }

    /// - Parameter why: nil: it is there.
    private func visit(_ saved: SavedURL, _ why: JobFailure?) -> SQL {
        """
        insert into private.visits (link_id, user_id, asked_url, broken_since, reason, message)
        select links.id, links.user_id, \(saved.url), case when \(why?.reason)::text is not null then now() end, \(why?.reason), \(why?.message)
        from public.links where \(isStill(saved))
        on conflict on constraint visits_pkey do update set
            visited_at = now(), asked_url = excluded.asked_url,
            broken_since = case when excluded.reason is not null then coalesce(visits.broken_since, now()) end,
            reason = excluded.reason, message = excluded.message,
            -- Of another address nothing is known.
            read_at = case when visits.asked_url = excluded.asked_url then visits.read_at end,
            url = case when visits.asked_url = excluded.asked_url then visits.url end,
            etag = case when visits.asked_url = excluded.asked_url then visits.etag end,
            last_modified = case when visits.asked_url = excluded.asked_url then visits.last_modified end
        """
    }
}
