import Jobs
import Postgres
import Telemetry
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

/// Events in the middle of a job happen in the closure that replaces the network, so no test waits.
@Suite("Saving / save link", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SaveLinkTests {
    let database: TestDatabase
    let user: String
    let link: String

    init() throws {
        database = try TestDatabase()
        user = try database.makeUser("ann@example.org")
        var admin = try Connection(database.conninfo("lectern_admin"))
        link = try #require(
            try admin.query(
                "insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/old') returning id"
            ).text(0, 0))
    }

    // MARK: - Hands

    func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    func rows(_ text: SQL, columns: Int = 1) throws -> [[String?]] {
        let rows = try sql(text)
        return (0..<rows.count).map { row in (0..<columns).map { rows.text(row, $0) } }
    }

    /// Runs a statement as the link's owner, or as a server with the service key.
    func request(_ statement: SQL, role: String = "authenticated") throws {
        let claims =
            role == "authenticated" ? #"{"sub":"\#(user)","role":"authenticated"}"# : #"{"role":"service_role"}"#
        _ = try Database(database.conninfo("authenticator")).transaction(
            as: Identity(role: role, claims: claims), [statement])
    }

    func take(_ runner: String = "a") throws -> Job {
        try #require(
            try JobQueue(Database(database.conninfo("lectern_jobs")), runner: runner, lease: 600).take(1).first)
    }

    /// Lets all leases expire.
    func runOut() throws { _ = try sql("update private.jobs set leased_until = now() - interval '1 second'") }

    func work(
        on job: Job, policy: RetryPolicy = RetryPolicy(base: .zero, attempts: 5), hosts: HostRateLimiter = .unlimited,
        crawlDelays: CrawlDelays = .none, quotas: Quotas = Quotas(),
        resolve: @escaping (FetchRequest) throws(SaveError) -> Page?
    ) -> JobEnding {
        SaveLink(
            Database(database.conninfo("lectern_jobs")), resolve: resolve, readPage: UnrulyReader.readPage,
            hosts: hosts,
            crawlDelays: crawlDelays, quotas: quotas, policy: policy, log: Log(program: "tests", level: "error")
        )(job)
    }

    static func page(_ saved: FetchRequest) -> Page {
        let sentence =
            "The reader stood at the lectern and read, slowly and aloud, what was written there, line by line. "
        let paragraphs = (0..<8).map { _ in "<p>\(String(repeating: sentence, count: 4))</p>" }.joined()
        return Page(
            url: saved.url, contentType: "text/html",
            html: """
                <html lang="en"><head><title>Of \(saved.url)</title><meta property="og:site_name" content="X">
                <meta property="og:image" content="http://x.test/dot.png"></head>
                <body><article><h1>Of \(saved.url)</h1>\(paragraphs)</article></body></html>
                """)
    }

    func fromThePage() throws -> [[String?]] {
        try rows(
            "select raw_url, state, resolved_url, image, site_name, lang, word_count from public.links where id = \(link)::uuid",
            columns: 7)
    }

    func said() throws -> [String?] {
        let said = try rows(
            "select state, reason, reason_message from public.links where id = \(link)::uuid", columns: 3)
        return try #require(said.first)
    }

    func jobs() throws -> [[String?]] {
        try rows("select state, reason, attempts from private.jobs order by id", columns: 3)
    }

    static let timeout = SaveError(FetchError(.timeout, "The site did not answer in time."))
    static let gone = SaveError(FetchError(.httpError, "The site has no such page (status 404).", status: 404))

    // MARK: - Whose words

    @Test("metadata of the page is marked as text; metadata of the owner and missing metadata are not")
    func whoseWords() throws {
        try request("update public.links set title = 'Mine &amp; only' where id = \(link)::uuid")
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .settled)
        let said: SQL = "select title, title_is_text, description_is_text from public.links"
        #expect(try rows(said, columns: 3) == [["Mine &amp; only", "f", "t"]])
        #expect(try rows("select metadata_is_text from public.articles") == [["t"]])
        try request("update public.links set title = null, description = null, state = 'pending'")
        let bare = Page(url: "http://x.test/old", contentType: "text/html", html: "<title>A &amp;amp; B</title>")
        #expect(work(on: try take()) { _ throws(SaveError) in bare } == .settled)
        #expect(try rows(said, columns: 3) == [["A &amp; B", "t", "f"]])
    }

    // MARK: - A link that changes

    @Test("a page is stored for the URL it was fetched from")
    func stored() throws {
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .settled)
        #expect(
            try fromThePage().first?.prefix(6) == [
                "http://x.test/old", "ready", "http://x.test/old", "http://x.test/dot.png", "X", "en",
            ])
        #expect(try rows("select url from public.articles") == [["http://x.test/old"]])
        #expect(try jobs().isEmpty)
    }

    @Test("a completed job is stored with its attempts and the time of each step")
    func remembered() throws {
        _ = work(on: try take()) { _ throws(SaveError) in throw Self.timeout }
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(
            try rows(
                """
                select kind, link_id, attempts, started_at between created_at and done_at,
                    (select string_agg(key, ' ' order by key) from jsonb_each(steps) where jsonb_typeof(value) = 'number')
                from private.done_jobs
                """, columns: 5) == [["save", link, "2", "t", "canonicalise fetch read recall"]])
    }

    @Test("completed jobs are deleted after a month by the queue itself")
    func forgotten() throws {
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        _ = try sql("update private.done_jobs set done_at = now() - interval '31 days'")
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(
            try rows(
                "select count(*), bool_and(done_at > now() - interval '1 hour') from private.done_jobs", columns: 2)
                == [["1", "t"]])
    }

    @Test(
        "a link that nobody waits for is postponed by the rate limit, without a reason and without counting as an attempt"
    )
    func postponed() throws {
        _ = try sql("update private.jobs set in_bulk = true")
        let hosts = HostRateLimiter(parallel: 1, pause: .seconds(60))
        #expect(hosts.requestFetch("x.test", isAwaited: false) == .now)
        #expect(work(on: try take(), hosts: hosts) { _ throws(SaveError) in throw Self.gone } == .settled)
        #expect(try jobs() == [["pending", nil, "0"]] && said() == ["pending", nil, nil])
        #expect(
            try rows(
                "select run_at between now() + interval '60 seconds' and now() + interval '120 seconds', leased_by from private.jobs",
                columns: 2) == [["t", nil]])
        try request("update public.links set state = 'pending' where id = \(link)::uuid")
        _ = try sql("update private.jobs set run_at = now(), in_bulk = false")
        #expect(work(on: try take(), hosts: hosts) { saved throws(SaveError) in Self.page(saved) } == .settled)
        #expect(try said().first == "ready")
    }

    @Test(
        "a Retry-After applies to the host that sent it, not to the host that redirected there",
        arguments: [("x.test", true), ("y.test", false)])
    func patience(host: String, isLater: Bool) throws {
        let hosts = HostRateLimiter(parallel: 4, pause: .zero)
        var busy = FetchError.answered(429, retryAfter: 300)
        busy.url = "http://\(host)/"
        _ = work(on: try take(), hosts: hosts) { [busy] _ throws(SaveError) in throw SaveError(busy) }
        #expect((hosts.requestFetch("x.test", isAwaited: false) != .now) == isLater)
    }

    @Test("a URL that changes while its page is fetched does not get the old page, but a new job")
    func changedDuring() throws {
        let ending = work(on: try take()) { saved throws(SaveError) in
            #expect(throws: Never.self) {
                try request("update public.links set raw_url = 'http://x.test/new' where id = \(link)::uuid")
            }
            return Self.page(saved)
        }
        #expect(ending == .settled)
        #expect(try fromThePage() == [["http://x.test/new", "pending", nil, nil, nil, nil, nil]])
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try jobs() == [["pending", nil, "0"]])
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(try rows("select url from public.articles") == [["http://x.test/new"]])
    }

    @Test("a failure of the old URL is not stored on a link whose URL has changed", arguments: [timeout, gone])
    func changedBeforeFailure(error: SaveError) throws {
        _ = work(on: try take()) { _ throws(SaveError) in
            #expect(throws: Never.self) {
                try request("update public.links set raw_url = 'http://x.test/new' where id = \(link)::uuid")
            }
            throw error
        }
        #expect(try said() == ["pending", nil, nil])
        #expect(try jobs() == [["pending", nil, "0"]])
    }

    @Test("a page of another URL than the link's is not stored, even while the job is leased")
    func otherURL() throws {
        let job = try take()
        let store = LinkStore(Database(database.conninfo("lectern_jobs")), job: job)
        var state = try #require(try store.recall())
        state.saved.url = "http://x.test/other"
        let page = try UnrulyReader.readPage(Self.page(FetchRequest(state.saved.url)))
        try store.store(CanonicalLink(page.page), state, SaveOutcome(chosen: page, stored: page, pages: [page]))
        #expect(try fromThePage() == [["http://x.test/old", "pending", nil, nil, nil, nil, nil]])
        #expect(try rows("select url from public.articles").isEmpty)
    }

    @Test(
        "a URL that changes afterwards takes the old page along, whoever changes it",
        arguments: [
            "authenticated", "service_role", "lectern_admin",
        ])
    func changedAfter(role: String) throws {
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        _ = try sql("update public.links set title = 'My own words'")
        let change: SQL = "update public.links set raw_url = 'http://x.test/new', lang = 'fr' where id = \(link)::uuid"
        if role == "lectern_admin" { _ = try sql(change) } else { try request(change, role: role) }
        #expect(try fromThePage() == [["http://x.test/new", "pending", nil, nil, nil, "fr", nil]])
        #expect(try rows("select title from public.links") == [["My own words"]])
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try jobs() == [["pending", nil, "0"]])
    }

    // MARK: - A page that is too much, or worse

    private func page(told act: String) -> Page {
        Page(
            url: "http://x.test/old", contentType: "text/html",
            html: "do: \(act) <title>Its title</title><p>Its <b>text</b> &amp; more.")
    }

    @Test("a page beyond a limit keeps its plain text, and the link says why")
    func overBudget() throws {
        #expect(work(on: try take()) { _ throws(SaveError) in page(told: "allocate") } == .settled)
        #expect(
            try said() == [
                "ready", "over_budget", "This page is too large or too complex. Only its plain text was stored.",
            ])
        #expect(
            try rows("select title, content, text_content from public.articles", columns: 3) == [
                ["Its title", "<p>do: allocate</p>\n<p>Its text &amp; more.</p>", "do: allocate\nIts text & more."]
            ])
        #expect(try rows("select title, word_count from public.links", columns: 2) == [["Its title", "5"]])
        #expect(try jobs().isEmpty)
    }

    @Test("a page that has grown over budget does not replace the article")
    func overBudgetLater() throws {
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        let before = try rows("select text_content, word_count from public.articles", columns: 2)
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { _ throws(SaveError) in page(told: "allocate") }
        #expect(
            try said() == [
                "ready", "over_budget",
                "This page is too large or too complex to be read again. The stored article was kept.",
            ])
        #expect(try rows("select text_content, word_count from public.articles", columns: 2) == before)
        #expect(try rows("select word_count from public.links") == [[before[0][1]]])
    }

    @Test("a page that is over budget twice keeps its plain text and the same reason")
    func overBudgetTwice() throws {
        _ = work(on: try take()) { _ throws(SaveError) in page(told: "allocate") }
        let before = try said()
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { _ throws(SaveError) in page(told: "allocate") }
        #expect(try said() == before)
    }

    @Test(
        "of a page that is too much and whose text is nothing or too much as well, the link does not say that it was kept",
        arguments: [
            "do: allocate always <p>text", "<title>do: nothing</title>" + String(repeating: "<i>", count: 30_000),
        ])
    func overBudgetInAll(html: String) throws {
        _ = work(on: try take()) { _ throws(SaveError) in
            Page(url: "http://x.test/old", contentType: "text/html", html: html)
        }
        let sentence = "This page is too large or too complex, and nothing of it was stored. Open the original instead."
        #expect(try said() == ["ready", "over_budget", sentence])
        #expect(try rows("select url from public.articles").isEmpty)
    }

    @Test(
        "a page that has no article any more takes the one that was kept nothing away, and the link says so",
        arguments: [
            ("text/html", "<title>Tea</title>", "This page has no text. The stored article was kept."),
            (
                "text/html", "<title>Page not found</title>",
                "The site reports that this page does not exist, or that it has an error. The stored article was kept."
            ),
            ("application/pdf", nil, "This link is not a web page any more. The stored article was kept."),
        ])
    func goneLater(contentType: String, html: String?, sentence: String) throws {
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { _ throws(SaveError) in
            Page(url: "http://x.test/old", contentType: contentType, html: html)
        }
        #expect(try said().last == sentence)
        #expect(try rows("select title from public.articles") == [["Of http://x.test/old"]])
    }

    // MARK: - What stands in its place

    private static let challenge = """
        <html lang=en><head><title>Just a moment...</title><meta name=description content=d><link rel=canonical href=/c></head>
        <body><form id=challenge-form></form><p>Verify you are human.</p></body></html>
        """

    @Test("an interstitial gives the link nothing but the reason")
    func inItsPlace() throws {
        let wall = Page(url: "http://x.test/wall?next=old", contentType: "text/html", html: Self.challenge)
        #expect(work(on: try take()) { _ throws(SaveError) in wall } == .settled)
        #expect(
            try said() == [
                "ready", "bot_challenge",
                "The site asks visitors to prove that they are human, and did not show the page. Open the page in your browser and send it from there.",
            ])
        #expect(
            try rows("select title, description, resolved_url, lang from public.links", columns: 4) == [
                [nil, nil, nil, nil]
            ])
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try jobs().isEmpty)
    }

    @Test("two links that end at the same interstitial are not merged")
    func notMerged() throws {
        _ = try sql("insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/other')")
        let wall = Page(url: "http://x.test/wall", contentType: "text/html", html: Self.challenge)
        for _ in 0..<2 { #expect(work(on: try take()) { _ throws(SaveError) in wall } == .settled) }
        #expect(try rows("select count(*) from public.links where reason = 'bot_challenge'") == [["2"]])
    }

    @Test("the beginning of an article for subscribers is stored, and does not replace a longer article")
    func stub() throws {
        let sentence =
            "The reader stood at the lectern and read, slowly and aloud, what was written there, line by line. "
        let beginning = "<title>Tea</title><article><h1>Tea</h1><p>\(String(repeating: sentence, count: 4))</p>"
        let stub = Page(
            url: "http://x.test/old", contentType: "text/html",
            html: beginning + "<p>Subscribe to continue reading.</p></article>")
        _ = work(on: try take()) { _ throws(SaveError) in stub }
        let sends = "Open the page in your browser and send it from there."
        #expect(
            try said() == [
                "ready", "login_wall",
                "The site shows the full article only to subscribers. Only its beginning was stored. \(sends)",
            ])
        #expect(try rows("select title from public.links") == [["Tea"]])
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        let whole = try rows("select text_content from public.articles")
        try request("update public.links set state = 'pending'")
        _ = work(on: try take()) { _ throws(SaveError) in stub }
        #expect(try rows("select text_content from public.articles") == whole)
        #expect(try said().last == "The site shows this article only to subscribers. The stored article was kept.")
    }

    @Test(
        "a page that ends the process it is read in costs one attempt, and is read at the next",
        arguments: ["trap", "fork", "rubbish"])
    func crash(act: String) throws {
        #expect(work(on: try take()) { _ throws(SaveError) in page(told: act) } == .settled)
        #expect(
            try said() == [
                "pending", "reader_crashed", "This page could not be read. The server's log has the details.",
            ])
        #expect(try jobs() == [["pending", "reader_crashed", "1"]])
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .settled)
        #expect(try said() == ["ready", nil, nil])
    }

    @Test("a page that always crashes the reader is given up")
    func crashes() throws {
        for _ in 0..<2 {
            _ = work(on: try take(), policy: RetryPolicy(base: .zero, attempts: 2)) { _ throws(SaveError) in
                page(told: "abort")
            }
        }
        #expect(try said().prefix(2) == ["failed", "reader_crashed"])
        let why = try #require(try rows("select message from private.jobs").first?.first ?? nil)
        #expect(why.hasPrefix("The process that read the page was killed by signal 6"))
    }

    // MARK: - Leases

    @Test(
        "a worker that lost the lease does not change the link, whether it retries or gives up",
        arguments: [timeout, gone])
    func lostLease(error: SaveError) throws {
        let ending = work(on: try take("slow")) { _ throws(SaveError) in
            #expect(throws: Never.self) {
                try runOut()
                _ = try take("fast")
            }
            throw error
        }
        #expect(ending == .settled)
        #expect(try said() == ["pending", nil, nil])
        #expect(try rows("select state, leased_by from private.jobs", columns: 2) == [["running", "fast"]])
    }

    @Test("a worker that lost the lease stores nothing")
    func lostLeaseWithPage() throws {
        _ = work(on: try take()) { saved throws(SaveError) in
            #expect(throws: Never.self) {
                try runOut()
                _ = try take()
            }
            return Self.page(saved)
        }
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try said() == ["pending", nil, nil])
    }

    // MARK: - Whose fault

    /// Makes the database refuse with this SQLSTATE what a job stores.
    private func refuse(with sqlState: String) throws {
        var owner = try Connection(database.conninfo("lectern_admin"))
        try owner.script(
            """
            create function public.refuse() returns trigger language plpgsql
                as $$ begin raise exception 'refused' using errcode = '\(sqlState)'; end $$;
            set role lectern_owner;
            create trigger refuse before update on public.links
                for each row when (new.state = 'ready') execute function public.refuse();
            """)
    }

    @Test(
        "a trouble of ours hands the job back, without an attempt and without a word about the page",
        arguments: ["53100", "53200", "53300", "57014", "40P01", "58030"])
    func outage(sqlState: String) throws {
        try refuse(with: sqlState)
        let policy = RetryPolicy(base: .seconds(7), attempts: 5)
        let ending = work(on: try take(), policy: policy) { saved throws(SaveError) in Self.page(saved) }
        #expect(
            ending == .handedBack(after: .seconds(7), JobFailure(reason: "database", message: "\(sqlState) refused")))
        #expect(try said() == ["pending", nil, nil])
        #expect(try jobs() == [["running", nil, "0"]])
    }

    @Test("a link whose stored pages cannot be read uses up its attempts", arguments: ["22023", "54001"])
    func unreadableState(sqlState: String) throws {
        _ = try sql(
            """
            insert into private.pages (link_id, user_id, url, html)
            values (\(link)::uuid, \(user)::uuid, 'http://x.test/sent', '<p>sent')
            """)
        var owner = try Connection(database.conninfo("lectern_admin"))
        try owner.script(
            """
            set role lectern_owner;
            create or replace function rest.link_of_url(owner uuid, url text) returns uuid language plpgsql stable
                as $$ begin raise exception 'unreadable' using errcode = '\(sqlState)'; end $$;
            """)
        let policy = RetryPolicy(base: .zero, attempts: 2)
        for state in ["pending", "failed"] {
            let ending = work(on: try take(), policy: policy) { _ throws(SaveError) in
                Issue.record("nothing is fetched for a link that cannot be read")
                throw Self.gone
            }
            #expect(ending == .settled)
            #expect(try said().prefix(2) == [state, "not_stored"])
        }
        #expect(try jobs() == [["buried", "not_stored", "1"]])
    }

    @Test("without a database the job is handed back")
    func noDatabase() throws {
        let job = try take()
        let ending = SaveLink(
            Database("host=/nonexistent"),
            resolve: { _ throws(SaveError) in
                Issue.record("nothing is fetched for a link that cannot be read")
                throw Self.gone
            }, readPage: UnrulyReader.readPage, policy: RetryPolicy(), log: Log(program: "tests", level: "error")
        )(job)
        guard case .handedBack(_, let why) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(why.reason == "database")
    }

    @Test("a stopped fetcher is not the site's failure")
    func fetcherStopped() throws {
        let ending = work(on: try take()) { _ throws(SaveError) in throw SaveError(FetchError.stopped) }
        #expect(ending == .handedBack(after: .zero, JobFailure(reason: "fetcher", message: FetchError.stopped.message)))
        #expect(try said() == ["pending", nil, nil])
    }

    @Test(
        "a page the database cannot hold counts as tried, and the link says so", arguments: ["22P05", "54000", "23514"])
    func unstorable(sqlState: String) throws {
        try refuse(with: sqlState)
        let ending = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(ending == .settled)
        #expect(
            try said() == [
                "pending", "not_stored", "The page was read but could not be stored. The server's log has the details.",
            ])
        #expect(try jobs() == [["pending", "not_stored", "1"]])
    }

    @Test("a page that keeps crashing its process is given up for that reason")
    func interrupted() throws {
        var policy = RetryPolicy(base: .zero, attempts: 5)
        policy.interruptions = 2
        _ = try take()
        try runOut()
        _ = try take()
        try runOut()
        let job = try take()
        let ending = work(on: job, policy: policy) { _ throws(SaveError) in
            Issue.record("it is not fetched once more")
            throw Self.gone
        }
        #expect(ending == .settled)
        #expect(
            try said() == [
                "failed", "interrupted",
                "The server stopped 2 times in a row while it worked on this page, and gave up.",
            ])
        #expect(try jobs() == [["buried", "interrupted", "0"]])
    }

    // MARK: - Asking again

    @Test(
        "asking for another try clears away what was given up, however it is asked",
        arguments: [
            "update public.links set state = 'pending'",
            "update public.links set raw_url = 'http://x.test/old', list = 'read'",
            """
            insert into public.links (raw_url, list) values ('http://x.test/old', 'read')
                on conflict (user_id, raw_url) do update set raw_url = excluded.raw_url, list = excluded.list
            """,
        ])
    func askedAgain(change: String) throws {
        for _ in 0..<2 {
            _ = work(on: try take()) { _ throws(SaveError) in throw Self.gone }
            #expect(try jobs() == [["buried", "http_error", "0"]])
            try request(SQL(stringLiteral: change))
            #expect(try said() == ["pending", nil, nil])
            #expect(try jobs() == [["pending", nil, "0"]])
        }
    }

    @Test("other changes of a failed link start no job")
    func notAsked() throws {
        _ = work(on: try take()) { _ throws(SaveError) in throw Self.gone }
        try request("update public.links set title = 'Mine', status = 'read'")
        #expect(try said().first == "failed")
        #expect(try jobs() == [["buried", "http_error", "0"]])
    }
}
