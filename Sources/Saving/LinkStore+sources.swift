import Jobs
import Postgres
import Readability

/// Pages that lie in the database: what they are needed for, and which of them stay.
extension LinkStore {
    /// What there is of a link: its article, and pages that this extractor has not read.
    func recall(_ saved: SavedURL) throws(PostgresError) -> StoredState {
        let version = PageReader.version
        let results = try database.transaction(
            as: owner,
            [
                """
                select source, text_content, is_whole, extractor_version < \(version)::int,
                    exists (select from public.highlights where highlights.link_id = links.id), extracted_at,
                    page_checks.link_id is not null, page_checks.url, page_checks.etag, page_checks.last_modified
                from public.links left join public.articles on articles.link_id = links.id
                left join private.page_checks on page_checks.link_id = links.id and page_checks.asked_url = links.raw_url
                where links.id = \(job.linkID)::uuid
                """,
                """
                select pages.saved_at, pages.is_source and articles.link_id is not null, pages.url, pages.html
                from private.pages join public.links on links.id = pages.link_id
                left join public.articles on articles.link_id = links.id
                where links.id = \(job.linkID)::uuid and \(job.kind != .place)
                    and (pages.read_by is distinct from \(version)::int or articles.link_id is null)
                    and (pages.url = links.raw_url or rest.link_of_url(links.user_id, pages.url) = links.id)
                """,
                """
                select * from (
                    select sources.kind, coalesce(sources.kind = articles.source and (sources.kind = 'server'
                            or not exists (select from private.pages where pages.link_id = links.id and is_source)), false) as is_origin,
                        sources.url, sources.content_type, sources.html
                    from private.sources join public.links on links.id = sources.link_id
                    left join public.articles on articles.link_id = links.id
                    where links.id = \(job.linkID)::uuid and \(job.kind != .place)
                        and (sources.read_by is distinct from \(version)::int or articles.link_id is null)
                        and (sources.asked_url = links.raw_url
                            or sources.kind = 'client' and rest.link_of_url(links.user_id, sources.asked_url) = links.id)
                ) as sources
                where is_origin or kind = 'client' or \(job.kind == .extract)
                """,
            ])
        let (link, sent, sources) = (results[0], results[1], results[2])
        guard link.count == 1 else { return StoredState() }
        var kept = StoredState(article: article(link), hasHighlights: link.bool(0, 4) ?? false)
        for row in 0..<sent.count {
            guard let time = sent.text(row, 0), let url = sent.text(row, 2), let html = sent.text(row, 3) else { continue }
            let page = StoredPage(place: .sent(at: time), page: Page(url: url, contentType: "text/html", html: html))
            kept.add(page, isOrigin: sent.bool(row, 1) ?? false)
        }
        for row in 0..<sources.count {
            guard let source = sources.text(row, 0).flatMap(PageSource.init), let url = sources.text(row, 2),
                let type = sources.text(row, 3), let html = sources.text(row, 4)
            else { continue }
            kept.add(StoredPage(place: .source(source), page: Page(url: url, contentType: type, html: html)), isOrigin: sources.bool(row, 1) ?? false)
        }
        kept.hasVisit = link.bool(0, 6) ?? false
        if kept.isReadWell { kept.copy = validators(link, from: 7) }
        return kept
    }

    private func article(_ row: Rows) -> ExistingArticle? {
        guard let source = row.text(0, 0).flatMap(PageSource.init), let text = row.text(0, 1) else { return nil }
        return ExistingArticle(
            source: source, text: text, isWhole: row.bool(0, 2) ?? true, isOfOlderExtractor: row.bool(0, 3) ?? false,
            extractedAt: row.text(0, 5) ?? "")
    }

    /// Statements that keep the page of what is stored, and let go of what is not needed any more.
    func keep(_ saved: SavedURL, _ kept: StoredState, _ outcome: SaveOutcome) -> [SQL] {
        var batch = outcome.pages.compactMap(noteReading)
        if let fetched = outcome.pages.first(where: { $0.place == nil }) {
            if keeping.keeps(fetched.page.html ?? ""), fetched.page.html != nil, isWorthKeeping(fetched, kept, outcome) {
                batch.append(keep(fetched.page, of: saved))
            } else if outcome.stored == fetched {
                // Of the page before this one the article is not any more.
                batch.append("delete from private.sources where \(isOfLink) and kind = 'server'")
            }
        }
        if let stored = outcome.stored {
            switch stored.place {
            case .sent(let time):
                batch.append("update private.pages set is_source = saved_at = \(time)::timestamptz where \(isOfLink)")
                batch.append("delete from private.sources where \(isOfLink) and kind = 'client'")
            case .source, nil: batch.append("update private.pages set is_source = false where \(isOfLink) and is_source")
            }
        }
        if !keeping.isOn {
            batch.append("delete from private.sources where \(isOfLink)")
            batch.append("delete from private.pages where \(isOfLink) and read_by is not null")
        } else {
            batch.append("delete from private.pages where \(isOfLink) and read_by is not null and octet_length(html) > \(keeping.limit)::int")
        }
        return batch
    }

    /// A page that is worse than the one the article was made from does not take its place.
    private func isWorthKeeping(_ fetched: PageView, _ kept: StoredState, _ outcome: SaveOutcome) -> Bool {
        outcome.stored == fetched || kept.article?.source != .server
    }

    private func keep(_ page: Page, of saved: SavedURL) -> SQL {
        """
        insert into private.sources (link_id, user_id, kind, asked_url, url, content_type, html, kept_at, read_by)
        select links.id, links.user_id, 'server', \(saved.url), \(page.url), \(page.contentType), \(page.html?.withoutNUL), now(),
            \(PageReader.version)::int
        from public.links where \(isStill(saved))
        on conflict on constraint sources_pkey do update set
            asked_url = excluded.asked_url, url = excluded.url, content_type = excluded.content_type, html = excluded.html,
            kept_at = excluded.kept_at, read_by = excluded.read_by
        """
    }

    private func noteReading(_ view: PageView) -> SQL? {
        switch view.place {
        case nil: nil
        case .sent(let time):
            """
            update private.pages set read_by = \(PageReader.version)::int
            where \(isOfLink) and saved_at = \(time)::timestamptz and read_by is distinct from \(PageReader.version)::int
            """
        case .source(let source):
            """
            update private.sources set read_by = \(PageReader.version)::int
            where \(isOfLink) and kind = \(source.rawValue) and read_by is distinct from \(PageReader.version)::int
            """
        }
    }

    private var isOfLink: SQL { "link_id = \(job.linkID)::uuid" }
}

extension StoredState {
    /// There is all of an article, this extractor has read the page of it or can do so without fetching it, and there is no other
    /// view to compare with that page.
    fileprivate var isReadWell: Bool {
        guard let article, article.isWhole, unread.isEmpty else { return false }
        return !article.isOfOlderExtractor || article.source == .server && origin != nil
    }

    fileprivate mutating func add(_ page: StoredPage, isOrigin: Bool) {
        // What this extractor has made of it is there.
        if !isOrigin { unread.append(page) } else if article?.isOfOlderExtractor == true { origin = page }
    }
}
