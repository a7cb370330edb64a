import HTML
import Import
import Jobs
import Postgres
import Readability

/// Reads and writes a user's link and article, as that user: row-level security applies to jobs as it does to clients.
/// Every function is one transaction.
struct LinkStore {
    let database: Database
    let job: Job
    let retention: SourceRetention

    init(_ database: Database, job: Job, retention: SourceRetention = SourceRetention()) {
        self.database = database
        self.job = job
        self.retention = retention
    }

    var owner: Identity {
        Identity(
            role: "job_worker", claims: #"{"sub":"\#(job.userID)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern job \(job.id)")
    }

    /// The owner's identity for a transaction that writes the link and what belongs to it: it waits for requests of the
    /// owner that write several links; see sql/schema/write_locks.sql.
    private var writer: Identity {
        var writer = owner
        writer.lock = "rest.lock_single_write()"
        return writer
    }

    /// Runs the rest of the transaction as the jobs' login role, which has no rights on users' tables.
    static let asRunner: SQL = "select set_config('role', 'none', true)"

    /// Merges the link with another link of its owner to the same page.
    ///
    /// This is a transaction of its own: the job has ended, and would be deleted with its link; and the owner may save
    /// the same page at the same time, which the next attempt finds. `lectern maintain duplicates` finds links that were
    /// not merged here.
    private func merge(_ link: CanonicalLink, of saved: SavedURL, _ page: ExtractedPage) {
        // If the user has changed the link's URL since, it does not lead to this page. The owner's lock keeps the URL as
        // it is during the merge.
        var merger = owner
        merger.lock = "rest.lock_writes()"
        let statement: SQL =
            """
            select rest.merge_resolved_link(id, \(link.resolvedURL), \(page.canonical)) from public.links
            where \(isStill(saved))
            """
        for _ in 1...5 {
            do throws(PostgresError) {
                _ = try database.transaction(as: merger, [statement])
                return
            } catch .refused(let refusal) where refusal.sqlState == "23505" {
                continue
            } catch { return }
        }
    }

    /// Runs statements that read, as the link's owner, in one transaction.
    func transaction(_ batch: [SQL]) throws(SaveError) -> [Rows] { try transaction(as: owner, batch) }

    /// Runs statements that write, first as the link's owner, in one transaction.
    func write(_ batch: [SQL]) throws(SaveError) { _ = try transaction(as: writer, batch) }

    private func transaction(as identity: Identity, _ batch: [SQL]) throws(SaveError) -> [Rows] {
        do throws(PostgresError) { return try database.transaction(as: identity, batch) } catch {
            throw SaveError(database: error)
        }
    }

    /// The link's URL; nil when the link was deleted.
    func savedURL() throws(SaveError) -> SavedURL? {
        savedURL(try transaction(["select raw_url from public.links where id = \(job.linkID)::uuid"])[0])
    }

    /// The link's document; nil where it has none.
    ///
    /// - Parameter folder: of the documents.
    func document(in folder: String) throws(SaveError) -> DocumentFile? {
        let rows = try transaction(["select address, type, name from rest.document_of(\(job.linkID)::uuid)"])[0]
        guard rows.count == 1, let address = rows.text(0, 0), let kind = rows.text(0, 1).flatMap(DocumentKind.init),
            let name = rows.text(0, 2)
        else { return nil }
        return DocumentFile(path: "\(folder)/\(address)", kind: kind, name: name)
    }

    /// - Parameter row: whose first column is the URL.
    func savedURL(_ row: Rows) -> SavedURL? {
        guard row.count == 1, let url = row.text(0, 0) else { return nil }
        return SavedURL(linkID: job.linkID, userID: job.userID, url: url)
    }

    /// Fills empty columns of the link, stores the article and its page, moves highlights to their new positions, and
    /// ends the job, in one transaction. Then merges the link with another link to the same page.
    ///
    /// Nothing is stored where the link's URL has changed.
    ///
    /// - Parameter steps: the milliseconds of each step so far.
    func store(
        _ link: CanonicalLink?, _ state: StoredState, _ outcome: SaveOutcome,
        steps: [(step: String, milliseconds: Double)] = []
    ) throws(SaveError) {
        let saved = state.saved
        var batch: [SQL] = []
        if let page = outcome.chosen, let link {
            batch.append(update(saved, link, page, outcome))
            if let stored = outcome.stored, let article = stored.article {
                let url =
                    stored.page.origin == page.page.origin ? link.resolvedURL : CanonicalLink(stored.page).resolvedURL
                batch.append(
                    insert(article, of: saved, url: url, from: stored, outcome.reason) + Self.replacingExisting
                        + unlessNewer(than: state))
                batch.append(storeMarkdown(of: article))
            }
        } else if isAwaited {
            // Neither the page nor its article has changed.
            batch.append(
                "update public.links set state = 'ready', reason = null, reason_message = null where \(isStill(saved))")
        }
        batch += storePages(saved, state, outcome)
        batch += storePageCheck(saved, state, outcome)
        batch += try placeHighlights(state, outcome)
        batch += [notify, Self.asRunner, JobQueue.finish(job, steps: steps)]
        try write(batch)
        if isAwaited, let link, let page = outcome.chosen, !page.isOfAnother, !saved.isDocument {
            merge(link, of: saved, page)
        }
    }

    /// Whether the user asked for the job.
    private var isAwaited: Bool { job.kind == .save }

    /// Links may be merged, separated or restored while the job runs, and get another article.
    private func unlessNewer(than state: StoredState) -> SQL {
        isAwaited
            ? "" : " where articles.extracted_at = nullif(\(state.article?.extractedAt ?? ""), '')::timestamptz"
    }

    private func update(_ saved: SavedURL, _ link: CanonicalLink, _ page: ExtractedPage, _ outcome: SaveOutcome) -> SQL
    {
        // A chain of redirects that ends at an interstitial does not tell the page's URL.
        let resolvedURL = page.isOfAnother || saved.isDocument ? nil : link.resolvedURL
        return """
            update public.links
            set resolved_url = coalesce(resolved_url, \(resolvedURL)),
                \(texts(of: page)),
                image = coalesce(image, \(page.image)),
                lang = coalesce(lang, \(page.lang)),
                \(facts(of: page, outcome)),
                word_count = coalesce(\(outcome.stored?.article?.wordCount)::int, word_count),
                \(status(page, outcome))
            where \(isStill(saved))
            """
    }

    /// Assignments of a page's title, description and site name to columns that are still empty.
    private func texts(of page: ExtractedPage?) -> SQL {
        """
        title = coalesce(title, \(page?.title)),
        title_is_text = title_is_text or title is null and \(page?.title)::text is not null,
        description = coalesce(description, \(page?.description)),
        description_is_text = description_is_text or description is null and \(page?.description)::text is not null,
        site_name = coalesce(site_name, \(page?.siteName))
        """
    }

    /// Assignments of the link's state and of the reason there is no article.
    private func status(_ page: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        let reason: SQL = "\(page.missing?.code ?? outcome.whyKept?.code)::text"
        let sentence = sentence(for: page, outcome)
        guard !isAwaited else { return "state = 'ready', reason = \(reason), reason_message = \(sentence)" }
        // The status of a pending link is left alone, and so is the reason of a link whose article stays.
        let isNew = outcome.stored != nil
        return """
            reason = case when state = 'ready' and (\(isNew) or reason is null) then \(reason) else reason end,
            reason_message = case
                when state = 'ready' and (\(isNew) or reason is null) then \(sentence) else reason_message end
            """
    }

    /// The sentence with the reason there is no article. It looks up the existing article, so its statement must
    /// precede the one that stores a new article.
    private func sentence(for page: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        guard let missing = page.missing else { return "\(outcome.whyKept?.sentence)::text" }
        // An article with the same content does not count as another article.
        let content = page.article?.content
        return """
            case when exists (
                select 1 from public.articles
                where articles.link_id = links.id and articles.content is distinct from \(content)::text
            ) then \(missing.sentenceBesideArticle)::text else \(missing.sentence(hasText: content != nil))::text end
            """
    }

    /// Puts the job back or buries it. Where the user asked for the job, stores the failure on the link in the same
    /// transaction.
    ///
    /// - Parameters:
    ///   - shown: what the owner sees; nil: the cause.
    ///   - beginning: the received part of a page whose transfer failed.
    func storeFailure(
        _ saved: SavedURL, _ cause: JobFailure, shown: JobFailure? = nil, beginning: ExtractedPage? = nil,
        _ decision: RetryPolicy.Decision
    ) throws(SaveError) {
        let (state, ending) =
            switch decision {
            case .retry(let delay): ("pending", JobQueue.retry(job, after: delay, cause))
            case .bury: ("failed", JobQueue.bury(job, cause))
            }
        let shown = shown ?? cause
        let beginning = beginning?.isOfAnother == true ? nil : beginning
        let onLink: [SQL] =
            isAwaited
            ? [
                """
                update public.links
                set state = \(state), reason = \(shown.reason), reason_message = \(shown.message),
                    \(texts(of: beginning))
                where \(isStill(saved))
                """,
                notify,
            ]
            : []
        try write(onLink + [Self.asRunner, ending])
    }

    /// Ends a job without a result: the link was deleted, or has all that the job would give it.
    func finish() throws(SaveError) {
        _ = try transaction(as: Identity(role: "none", applicationName: "lectern jobs"), [JobQueue.finish(job)])
    }

    func isStill(_ saved: SavedURL) -> SQL {
        "links.id = \(job.linkID)::uuid and links.raw_url = \(saved.url)"
    }

    /// Notifies clients that show the link. The payload holds only ids, since row-level security applies when the link
    /// is read.
    var notify: SQL { "select pg_notify('lectern_links', \(job.userID + " " + job.linkID))" }

    private func insert(
        _ article: StoredArticle, of saved: SavedURL, url: String, from page: ExtractedPage,
        _ reason: PageChoice.Reason?
    ) -> SQL {
        """
        insert into public.articles (
            link_id, user_id, url, title, byline, content, text_content, excerpt, site_name, lang, dir, image,
            published_time, published_at, length, word_count, reading_time, source,
            extracted_at, extractor_version, metadata_is_text,
            source_reason, is_whole, confidence
        )
        select links.id, links.user_id, \(url), \(article.title), \(article.byline), \(article.content),
            \(article.textContent), \(article.excerpt), \(article.siteName), \(article.lang), \(article.dir),
            \(page.image), \(article.publishedTime), \(article.publishedAt)::timestamptz, \(article.length)::int,
            \(article.wordCount)::int, \(article.readingTime)::int, \(page.page.source.rawValue), now(),
            \(PageReader.version)::int, true, \(reason?.rawValue), \(page.quality?.isWhole ?? true),
            \(article.confidence.rawValue)
        from public.links where \(isStill(saved))
        """
    }

    /// Stores the article as Markdown where it was stored or has no Markdown yet.
    private func storeMarkdown(of article: StoredArticle) -> SQL {
        """
        update private.markdown_files as file set markdown = \(Markdown.render(article: article.content))
        from public.articles
        where file.link_id = \(job.linkID)::uuid and articles.link_id = file.link_id and file.markdown is null
            and articles.content = \(article.content)
        """
    }

    private static let replacingExisting: SQL =
        """
         on conflict (link_id) do update set
            url = excluded.url, title = excluded.title, byline = excluded.byline, content = excluded.content,
            text_content = excluded.text_content, excerpt = excluded.excerpt, site_name = excluded.site_name,
            lang = excluded.lang, dir = excluded.dir, image = excluded.image,
            published_time = excluded.published_time, published_at = excluded.published_at, length = excluded.length,
            word_count = excluded.word_count, reading_time = excluded.reading_time, source = excluded.source,
            extracted_at = excluded.extracted_at,
            extractor_version = excluded.extractor_version, metadata_is_text = true, is_whole = excluded.is_whole,
            confidence = excluded.confidence,
            source_reason = coalesce(
                excluded.source_reason, case when articles.source = excluded.source then articles.source_reason end)
        """
}
