import Jobs
import Postgres
import Readability

/// Reads and writes a user's link and article, as that user: row-level security binds the job as it binds a client.
struct StoreLink {
    private let database: Database
    private let job: Job

    init(_ database: Database, job: Job) {
        self.database = database
        self.job = job
    }

    private var owner: Identity {
        Identity(
            role: "job_worker", claims: #"{"sub":"\#(job.userID)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern job \(job.id)")
    }

    /// The rest of the transaction runs as the jobs' own login role, which owns no right on users' tables.
    private static let asRunner: SQL = "select set_config('role', 'none', true)"

    /// The page may be one that its owner has already.
    ///
    /// In a transaction of its own, which has no part in storing the page: the job is over, and would go with its link; and
    /// two that find each other at once may have to take turns. What is not merged now is found by `lectern maintain
    /// duplicates`.
    private func meet(_ link: CanonicalLink, _ reading: Reading) {
        let statement: SQL = "select rest.link_resolved(\(job.linkID)::uuid, \(link.resolvedURL), \(reading.canonical))"
        for _ in 1...5 {
            do throws(PostgresError) {
                _ = try database.transaction(as: owner, [statement])
                return
            } catch .refused(let refusal) where ["40001", "40P01", "23505"].contains(refusal.sqlState) {
                continue
            } catch { return }
        }
    }

    /// The link's URL, or nil when it was deleted meanwhile.
    func savedURL() throws(PostgresError) -> SavedURL? {
        let rows = try database.transaction(
            as: owner, ["select raw_url from public.links where id = \(job.linkID)::uuid"])[0]
        guard rows.count == 1, let url = rows.text(0, 0) else { return nil }
        return SavedURL(linkID: job.linkID, userID: job.userID, url: url)
    }

    /// Fills what is still empty, stores the article, ends the job: all or nothing. Then merges the link with another it turns
    /// out to be.
    ///
    /// An article that is there already is replaced by a new one and by nothing else: a page that has become worse, is over
    /// budget now or behind a wall, takes nothing away. A page whose URL is not the link's any more is not stored at all.
    func store(_ saved: SavedURL, _ link: CanonicalLink, _ reading: Reading) throws(PostgresError) {
        let isPartial = reading.missing?.isPartial ?? false
        // Where the chain ended is not where the page lies, when it ended at a wall.
        let resolvedURL = reading.isOfAnother ? nil : link.resolvedURL
        var batch: [SQL] = [
            """
            update public.links
            set resolved_url = coalesce(resolved_url, \(resolvedURL)),
                title = coalesce(title, \(reading.title)),
                title_is_text = title_is_text or title is null and \(reading.title)::text is not null,
                description = coalesce(description, \(reading.description)),
                description_is_text = description_is_text or description is null and \(reading.description)::text is not null,
                image = coalesce(image, \(reading.image)),
                site_name = coalesce(site_name, \(reading.siteName)),
                lang = coalesce(lang, \(reading.lang)),
                word_count = case when \(isPartial) then coalesce(word_count, \(reading.article?.wordCount)::int)
                    else coalesce(\(reading.article?.wordCount)::int, word_count) end,
                state = 'ready', reason = \(reading.missing?.code), reason_message = \(sentence(for: reading))
            where \(isStill(saved))
            """
        ]
        if let article = reading.article {
            let insertion = insert(article, of: saved, image: reading.image, url: link.resolvedURL)
            batch.append(insertion + (isPartial ? Self.unlessThere : Self.insteadOfTheOld))
        }
        batch += [tell, Self.asRunner, Queue.finish(job)]
        _ = try database.transaction(as: owner, batch)
        if !reading.isOfAnother { meet(link, reading) }
    }

    /// Why there is no article, as a sentence. Asks for articles, so it belongs before the statement that stores the new one.
    private func sentence(for reading: Reading) -> SQL {
        guard let missing = reading.missing else { return "null" }
        // The same text as before is no other article.
        let content = reading.article?.content
        return """
            case when exists (
                select 1 from public.articles where articles.link_id = links.id and articles.content is distinct from \(content)::text
            ) then \(missing.sentenceBesideArticle)::text else \(missing.sentence(hasText: content != nil))::text end
            """
    }

    /// Says on the link what went wrong, and puts its job back or gives it up: all or nothing.
    ///
    /// - Parameter shown: what the owner is told, where that is not the cause itself.
    func fail(
        _ saved: SavedURL, _ cause: JobFailure, shown: JobFailure? = nil, _ decision: RetryPolicy.Decision
    ) throws(PostgresError) {
        let (state, ending) =
            switch decision {
            case .retry(let delay): ("pending", Queue.retry(job, after: delay, cause))
            case .bury: ("failed", Queue.bury(job, cause))
            }
        let shown = shown ?? cause
        _ = try database.transaction(
            as: owner,
            [
                """
                update public.links
                set state = \(state), reason = \(shown.reason), reason_message = \(shown.message)
                where \(isStill(saved))
                """,
                tell, Self.asRunner, ending,
            ])
    }

    /// Ends the job of a link that is gone.
    func abandon() throws(PostgresError) {
        _ = try database.transaction(as: Identity(role: "none", applicationName: "lectern jobs"), [Queue.finish(job)])
    }

    private func isStill(_ saved: SavedURL) -> SQL {
        "links.id = \(job.linkID)::uuid and links.raw_url = \(saved.url)"
    }

    /// Whoever shows the link may look again. Ids only: what may be seen is decided when it is read.
    private var tell: SQL { "select pg_notify('lectern_links', \(job.userID + " " + job.linkID))" }

    private func insert(_ article: StoredArticle, of saved: SavedURL, image: String?, url: String) -> SQL {
        """
        insert into public.articles (
            link_id, user_id, url, title, byline, content, text_content, excerpt, site_name, lang, dir, image,
            published_time, published_at, length, word_count, source, extracted_at, extractor_version, metadata_is_text
        )
        select links.id, links.user_id, \(url), \(article.title), \(article.byline), \(article.content),
            \(article.textContent), \(article.excerpt), \(article.siteName), \(article.lang), \(article.dir),
            \(image), \(article.publishedTime), \(article.publishedAt)::timestamptz, \(article.length)::int,
            \(article.wordCount)::int, 'server', now(), \(PageReader.version)::int, true
        from public.links where \(isStill(saved))
        """
    }

    private static let unlessThere: SQL = " on conflict (link_id) do nothing"

    private static let insteadOfTheOld: SQL =
        """
         on conflict (link_id) do update set
            url = excluded.url, title = excluded.title, byline = excluded.byline, content = excluded.content,
            text_content = excluded.text_content, excerpt = excluded.excerpt, site_name = excluded.site_name,
            lang = excluded.lang, dir = excluded.dir, image = excluded.image,
            published_time = excluded.published_time, published_at = excluded.published_at, length = excluded.length,
            word_count = excluded.word_count, source = excluded.source, extracted_at = excluded.extracted_at,
            extractor_version = excluded.extractor_version, metadata_is_text = true
        """
}
