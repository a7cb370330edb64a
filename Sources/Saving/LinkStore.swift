import Jobs
import Postgres
import Readability

/// Reads and writes a user's link and article, as that user: row-level security binds the job as it binds a client.
struct LinkStore {
    let database: Database
    let job: Job
    let keeping: SourceRetention

    init(_ database: Database, job: Job, keeping: SourceRetention = SourceRetention()) {
        self.database = database
        self.job = job
        self.keeping = keeping
    }

    var owner: Identity {
        Identity(
            role: "job_worker", claims: #"{"sub":"\#(job.userID)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern job \(job.id)")
    }

    /// The rest of the transaction runs as the jobs' own login role, which owns no right on users' tables.
    static let asRunner: SQL = "select set_config('role', 'none', true)"

    /// The page may be one that its owner has already.
    ///
    /// In a transaction of its own, which has no part in storing the page: the job is over, and would go with its link; and
    /// two that find each other at once may have to take turns. What is not merged now is found by `lectern maintain
    /// duplicates`.
    private func meet(_ link: CanonicalLink, _ reading: ExtractedPage) {
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

    /// Fills what is still empty, stores the article, keeps its page, moves highlights to their places, ends the job: all or
    /// nothing. Then merges the link with another it turns out to be.
    ///
    /// A page whose URL is not the link's any more is not stored at all.
    ///
    /// - Parameter steps: where the time of the job went until now, for who looks at the queue.
    func store(
        _ saved: SavedURL, _ link: CanonicalLink?, _ kept: StoredState, _ outcome: SaveOutcome, steps: [(step: String, milliseconds: Double)] = []
    ) throws(PostgresError) {
        var batch: [SQL] = []
        if let view = outcome.view, let link {
            batch.append(update(saved, link, view.reading, outcome))
            if let stored = outcome.stored, let article = stored.reading.article {
                let url = stored == view ? link.resolvedURL : CanonicalLink(stored.page).resolvedURL
                batch.append(
                    insert(article, of: saved, image: stored.reading.image, url: url, from: stored, outcome.reason) + Self.insteadOfTheOld
                        + unlessThereIsANewer(than: kept))
            }
        } else if !isUnasked {
            // The page has not changed, and neither has what was made of it.
            batch.append("update public.links set state = 'ready', reason = null, reason_message = null where \(isStill(saved))")
        }
        batch += keep(saved, kept, outcome)
        batch += remember(saved, kept, outcome)
        batch += try placeHighlights(kept, outcome)
        batch += [tell, Self.asRunner, JobQueue.finish(job, steps: steps)]
        _ = try database.transaction(as: owner, batch)
        if !isUnasked, let link, let view = outcome.view, !view.reading.isOfAnother { meet(link, view.reading) }
    }

    /// Nobody waits for the job.
    private var isUnasked: Bool { job.kind != .save }

    /// Links may be merged, parted or restored meanwhile, and bring another article.
    private func unlessThereIsANewer(than kept: StoredState) -> SQL {
        isUnasked ? " where articles.extracted_at = nullif(\(kept.article?.extractedAt ?? ""), '')::timestamptz" : ""
    }

    private func update(_ saved: SavedURL, _ link: CanonicalLink, _ reading: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        // Where the chain ended is not where the page lies, when it ended at a wall.
        let resolvedURL = reading.isOfAnother ? nil : link.resolvedURL
        return """
            update public.links
            set resolved_url = coalesce(resolved_url, \(resolvedURL)),
                \(words(of: reading)),
                image = coalesce(image, \(reading.image)),
                lang = coalesce(lang, \(reading.lang)),
                \(facts(of: reading, outcome)),
                word_count = coalesce(\(outcome.stored?.reading.article?.wordCount)::int, word_count),
                \(say(reading, outcome))
            where \(isStill(saved))
            """
    }

    /// What a page calls itself, as far as it came: assignments to what is still empty of its link.
    private func words(of reading: ExtractedPage?) -> SQL {
        """
        title = coalesce(title, \(reading?.title)),
        title_is_text = title_is_text or title is null and \(reading?.title)::text is not null,
        description = coalesce(description, \(reading?.description)),
        description_is_text = description_is_text or description is null and \(reading?.description)::text is not null,
        site_name = coalesce(site_name, \(reading?.siteName))
        """
    }

    /// Whether there is an article, or why not.
    private func say(_ reading: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        let reason: SQL = "\(reading.missing?.code ?? outcome.stays?.code)::text"
        let sentence = sentence(for: reading, outcome)
        guard isUnasked else { return "state = 'ready', reason = \(reason), reason_message = \(sentence)" }
        // A link that waits to be fetched says nothing meanwhile, and one whose article stays what it said before.
        let isNews = outcome.stored != nil
        return """
            reason = case when state = 'ready' and (\(isNews) or reason is null) then \(reason) else reason end,
            reason_message = case when state = 'ready' and (\(isNews) or reason is null) then \(sentence) else reason_message end
            """
    }

    /// Why there is no article, as a sentence. Asks for articles, so it belongs before the statement that stores the new one.
    private func sentence(for reading: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        guard let missing = reading.missing else { return "\(outcome.stays?.sentence)::text" }
        // The same text as before is no other article.
        let content = reading.article?.content
        return """
            case when exists (
                select 1 from public.articles where articles.link_id = links.id and articles.content is distinct from \(content)::text
            ) then \(missing.sentenceBesideArticle)::text else \(missing.sentence(hasText: content != nil))::text end
            """
    }

    /// Says on the link what went wrong, unless nobody asked for the job, and puts it back or gives it up: all or nothing.
    ///
    /// - Parameters:
    ///   - shown: what the owner is told, where that is not the cause itself.
    ///   - beginning: what was read of a page that broke off.
    func fail(
        _ saved: SavedURL, _ cause: JobFailure, shown: JobFailure? = nil, told beginning: ExtractedPage? = nil, _ decision: RetryPolicy.Decision
    ) throws(PostgresError) {
        let (state, ending) =
            switch decision {
            case .retry(let delay): ("pending", JobQueue.retry(job, after: delay, cause))
            case .bury: ("failed", JobQueue.bury(job, cause))
            }
        let shown = shown ?? cause
        let beginning = beginning?.isOfAnother == true ? nil : beginning
        let said: [SQL] =
            isUnasked
            ? []
            : [
                """
                update public.links
                set state = \(state), reason = \(shown.reason), reason_message = \(shown.message),
                    \(words(of: beginning))
                where \(isStill(saved))
                """,
                tell,
            ]
        _ = try database.transaction(as: owner, said + [Self.asRunner, ending])
    }

    /// Ends the job of a link that is gone.
    func abandon() throws(PostgresError) {
        _ = try database.transaction(as: Identity(role: "none", applicationName: "lectern jobs"), [JobQueue.finish(job)])
    }

    func isStill(_ saved: SavedURL) -> SQL {
        "links.id = \(job.linkID)::uuid and links.raw_url = \(saved.url)"
    }

    /// Whoever shows the link may look again. Ids only: what may be seen is decided when it is read.
    var tell: SQL { "select pg_notify('lectern_links', \(job.userID + " " + job.linkID))" }

    private func insert(
        _ article: StoredArticle, of saved: SavedURL, image: String?, url: String, from view: PageView, _ reason: PageChoice.Reason?
    ) -> SQL {
        """
        insert into public.articles (
            link_id, user_id, url, title, byline, content, text_content, excerpt, site_name, lang, dir, image,
            published_time, published_at, length, word_count, reading_time, source, extracted_at, extractor_version, metadata_is_text,
            source_reason, is_whole
        )
        select links.id, links.user_id, \(url), \(article.title), \(article.byline), \(article.content),
            \(article.textContent), \(article.excerpt), \(article.siteName), \(article.lang), \(article.dir),
            \(image), \(article.publishedTime), \(article.publishedAt)::timestamptz, \(article.length)::int,
            \(article.wordCount)::int, \(article.readingTime)::int, \(view.source.rawValue), now(), \(PageReader.version)::int, true,
            \(reason?.rawValue), \(view.facts?.isWhole ?? true)
        from public.links where \(isStill(saved))
        """
    }

    private static let insteadOfTheOld: SQL =
        """
         on conflict (link_id) do update set
            url = excluded.url, title = excluded.title, byline = excluded.byline, content = excluded.content,
            text_content = excluded.text_content, excerpt = excluded.excerpt, site_name = excluded.site_name,
            lang = excluded.lang, dir = excluded.dir, image = excluded.image,
            published_time = excluded.published_time, published_at = excluded.published_at, length = excluded.length,
            word_count = excluded.word_count, reading_time = excluded.reading_time, source = excluded.source,
            extracted_at = excluded.extracted_at,
            extractor_version = excluded.extractor_version, metadata_is_text = true, is_whole = excluded.is_whole,
            source_reason = coalesce(excluded.source_reason, case when articles.source = excluded.source then articles.source_reason end)
        """
}
