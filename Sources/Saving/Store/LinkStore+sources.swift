import Jobs
import Postgres
import Readability

/// Reads what is stored of a link, and stores its pages.
extension LinkStore {
    /// Reads what is stored of the link, as far as the job needs it; nil when the link was deleted.
    func loadState(_ quotas: Quotas = Quotas()) throws(SaveError) -> StoredState? {
        let excessQuery = excessQuery(quotas)
        let statements = job.kind == .check ? [checkQuery] : [articleQuery, sentPagesQuery, sourcesQuery]
        var results = try transaction(statements + (excessQuery.map { [$0] } ?? []))
        let excess = excessQuery == nil ? nil : results.popLast().flatMap(excess)
        let link = results[0]
        guard let saved = savedURL(link) else { return nil }
        var state = StoredState(saved: saved)
        state.excess = excess
        if job.kind == .check {
            state.copy = validators(link, from: 1)
            state.hasFailed = link.bool(0, 4) ?? false
            return state
        }
        state.article = article(link)
        state.hasHighlights = link.bool(0, 5) ?? false
        addSentPages(results[1], to: &state)
        addSources(results[2], to: &state)
        state.hasPageCheck = link.bool(0, 7) ?? false
        state.isWholePage = link.bool(0, 11) ?? false
        state.isReady = link.bool(0, 12) ?? false
        if state.isReadWell { state.copy = validators(link, from: 8) }
        return state
    }

    private var checkQuery: SQL {
        """
        select raw_url, page_checks.url, page_checks.etag, page_checks.last_modified,
            links.state = 'failed' and links.reason is distinct from 'cancelled'
        from public.links left join private.page_checks on page_checks.link_id = links.id and page_checks.asked_url = links.raw_url
        where links.id = \(job.linkID)::uuid
        """
    }

    private var articleQuery: SQL {
        """
        select raw_url, source, text_content, is_whole, extractor_version < \(PageReader.version)::int,
            exists (select from public.highlights where highlights.link_id = links.id), extracted_at,
            page_checks.link_id is not null, page_checks.url, page_checks.etag, page_checks.last_modified,
            exists (
                select from private.sources
                where sources.link_id = links.id and sources.is_article and sources.kind = articles.source),
            links.state = 'ready'
        from public.links left join public.articles on articles.link_id = links.id
        left join private.page_checks on page_checks.link_id = links.id and page_checks.asked_url = links.raw_url
        where links.id = \(job.linkID)::uuid
        """
    }

    private var sentPagesQuery: SQL {
        """
        select pages.saved_at,
            pages.is_source and articles.link_id is not null and not (pages.is_article and pages.read_by is null),
            pages.url, pages.html, pages.is_article, pages.type, pages.read_by is null
        from private.pages join public.links on links.id = pages.link_id
        left join public.articles on articles.link_id = links.id
        where links.id = \(job.linkID)::uuid and \(job.kind != .place)
            and (pages.read_by is distinct from \(PageReader.version)::int or articles.link_id is null)
            and (pages.url = links.raw_url or rest.link_of_url(links.user_id, pages.url) = links.id)
        """
    }

    private var sourcesQuery: SQL {
        """
        select * from (
            select sources.kind, coalesce(sources.kind = articles.source and (sources.kind = 'server'
                    or not exists (select from private.pages where pages.link_id = links.id and is_source)), false
                ) and not (sources.is_article and sources.read_by is null) as is_origin,
                sources.url, sources.content_type, sources.html, sources.is_article,
                sources.is_article and sources.read_by is null as is_wanted
            from private.sources join public.links on links.id = sources.link_id
            left join public.articles on articles.link_id = links.id
            where links.id = \(job.linkID)::uuid and \(job.kind != .place)
                and (sources.read_by is distinct from \(PageReader.version)::int or articles.link_id is null)
                and (sources.asked_url = links.raw_url
                    or sources.kind = 'client' and rest.link_of_url(links.user_id, sources.asked_url) = links.id)
        ) as sources
        where is_origin or is_wanted or kind = 'client' or \(job.kind == .extract)
        """
    }

    private func addSentPages(_ rows: Rows, to state: inout StoredState) {
        for row in 0..<rows.count {
            guard let time = rows.text(row, 0), let url = rows.text(row, 2), let html = rows.text(row, 3) else {
                continue
            }
            var page = Page(url: url, contentType: rows.text(row, 5) ?? "text/html", origin: .sent(at: time))
            page.isArticle = rows.bool(row, 4) ?? false
            page.isWanted = page.isArticle && rows.bool(row, 6) ?? false
            if page.contentType == "text/markdown" {
                page.file = .markdown(Array(html.utf8))
            } else {
                page.html = html
            }
            state.add(page, isOrigin: rows.bool(row, 1) ?? false)
        }
    }

    private func addSources(_ rows: Rows, to state: inout StoredState) {
        for row in 0..<rows.count {
            guard let source = rows.text(row, 0).flatMap(PageReceiver.init), let url = rows.text(row, 2),
                let type = rows.text(row, 3), let html = rows.text(row, 4)
            else { continue }
            var page = Page(url: url, contentType: type, html: html, origin: .stored(source))
            page.isArticle = rows.bool(row, 5) ?? false
            page.isWanted = rows.bool(row, 6) ?? false
            state.add(page, isOrigin: rows.bool(row, 1) ?? false)
        }
    }

    private func article(_ row: Rows) -> ExistingArticle? {
        guard let source = row.text(0, 1).flatMap(PageReceiver.init), let text = row.text(0, 2) else { return nil }
        return ExistingArticle(
            source: source, text: text, isWhole: row.bool(0, 3) ?? true, isOfOlderExtractor: row.bool(0, 4) ?? false,
            extractedAt: row.text(0, 6) ?? "")
    }

    /// Statements that store the page of the article, and delete pages that are not needed any more.
    func storePages(_ saved: SavedURL, _ state: StoredState, _ outcome: SaveOutcome) -> [SQL] {
        var batch = outcome.pages.compactMap { markRead($0.page) }
        if let fetched = outcome.fetched {
            // A page that is worse than the source of the article does not replace it.
            let isWanted = outcome.isFetchedStored || state.article?.source != .server
            if let html = fetched.page.html, retention.includes(html), isWanted {
                batch.append(storeSource(fetched.page, of: saved))
            } else if outcome.isFetchedStored {
                // The stored page is not the source of the article any more.
                batch.append("delete from private.sources where \(isOfLink) and kind = 'server'")
            }
        }
        if let stored = outcome.stored {
            switch stored.page.origin {
            case .sent(let time):
                batch.append("update private.pages set is_source = saved_at = \(time)::timestamptz where \(isOfLink)")
                batch.append("delete from private.sources where \(isOfLink) and kind = 'client'")
            case .stored, .fetched:
                batch.append("update private.pages set is_source = false where \(isOfLink) and is_source")
            }
        }
        if !retention.isOn {
            batch.append("delete from private.sources where \(isOfLink)")
            batch.append("delete from private.pages where \(isOfLink) and read_by is not null")
        } else {
            batch.append(
                """
                delete from private.pages
                where \(isOfLink) and read_by is not null and octet_length(html) > \(retention.limit)::int
                """)
        }
        return batch
    }

    private func storeSource(_ page: Page, of saved: SavedURL) -> SQL {
        """
        insert into private.sources (
            link_id, user_id, kind, asked_url, url, content_type, html, kept_at, read_by, is_article)
        select links.id, links.user_id, 'server', \(saved.url), \(page.url), \(page.contentType),
            \(page.html?.withoutNUL), now(), \(PageReader.version)::int, \(page.isArticle)
        from public.links where \(isStill(saved))
        on conflict on constraint sources_pkey do update set
            asked_url = excluded.asked_url, url = excluded.url, content_type = excluded.content_type,
            html = excluded.html,
            kept_at = excluded.kept_at, read_by = excluded.read_by, is_article = excluded.is_article
        """
    }

    /// Marks a stored page as read by this extractor.
    private func markRead(_ page: Page) -> SQL? {
        switch page.origin {
        case .fetched: nil
        case .sent(let time):
            """
            update private.pages set read_by = \(PageReader.version)::int
            where \(isOfLink) and saved_at = \(time)::timestamptz
                and read_by is distinct from \(PageReader.version)::int
            """
        case .stored(let source):
            """
            update private.sources set read_by = \(PageReader.version)::int
            where \(isOfLink) and kind = \(source.rawValue) and read_by is distinct from \(PageReader.version)::int
            """
        }
    }

    private var isOfLink: SQL { "link_id = \(job.linkID)::uuid" }
}

extension StoredState {
    /// Whether the article is whole, this extractor has read its page or has it stored, and there is no other page to
    /// compare with.
    fileprivate var isReadWell: Bool {
        guard let article, article.isWhole, unread.isEmpty else { return false }
        return !article.isOfOlderExtractor || article.source == .server && origin != nil
    }

    fileprivate mutating func add(_ page: Page, isOrigin: Bool) {
        // The page of an article by this extractor needs no reading.
        if !isOrigin { unread.append(page) } else if article?.isOfOlderExtractor == true { origin = page }
    }
}

extension SaveOutcome {
    /// The page that was fetched now.
    var fetched: ExtractedPage? { pages.first { $0.page.origin == .fetched } }

    /// Whether the stored article is that of the page fetched now.
    var isFetchedStored: Bool { stored?.page.origin == .fetched }
}
