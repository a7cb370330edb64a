import Jobs
import Postgres
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / save link", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SaveLinkTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    // MARK: - What is stored

    @Test("a page is stored for the URL it was fetched from")
    func stored() throws {
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
        #expect(
            try fromThePage().first?.prefix(6) == [
                "http://x.test/old", "ready", "http://x.test/old", "http://x.test/dot.png", "X", "en",
            ])
        #expect(try rows("select url from public.articles") == [["http://x.test/old"]])
        #expect(try jobs().isEmpty)
    }

    @Test("metadata of the page is marked as text; metadata of the owner and missing metadata are not")
    func whoseWords() throws {
        try request("update public.links set title = 'Mine &amp; only' where id = \(link)::uuid")
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
        let said: SQL = "select title, title_is_text, description_is_text from public.links"
        #expect(try rows(said, columns: 3) == [["Mine &amp; only", "f", "t"]])
        #expect(try rows("select metadata_is_text from public.articles") == [["t"]])
        try request("update public.links set title = null, description = null, state = 'pending'")
        let bare = Page(url: "http://x.test/old", contentType: "text/html", html: "<title>A &amp;amp; B</title>")
        #expect(work(on: try take()) { _ throws(SaveError) in bare } == .leaseEnded)
        #expect(try rows(said, columns: 3) == [["A &amp; B", "t", "f"]])
    }

    @Test("a completed job is stored with its attempts and the time of each step")
    func remembered() throws {
        _ = work(on: try take()) { _ throws(SaveError) in throw .timedOut }
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(
            try rows(
                """
                select kind, link_id, attempts, started_at between created_at and done_at,
                    (select string_agg(key, ' ' order by key) from jsonb_each(steps) where jsonb_typeof(value) = 'number')
                from private.done_jobs
                """, columns: 5) == [["save", link, "2", "t", "canonicalise fetch read recall"]])
    }

    @Test("a link stays ready if the running job has read the page that the next job was queued for")
    func sentMeanwhile() throws {
        let job = try take()
        let text = String(repeating: "A sentence that only the client could see. ", count: 40)
        let html = "<article><p>\(text)</p></article>"
        try request("select rest.replace_page(\(link)::uuid, 'http://x.test/old', \(html))")
        #expect(work(on: job) { _ throws(SaveError) in throw .pageMissing } == .leaseEnded)
        #expect(try said().first == "ready")
        #expect(work(on: try take()) { _ throws(SaveError) in throw .pageMissing } == .leaseEnded)
        #expect(try said().first == "ready" && jobs().isEmpty)
        #expect(try rows("select source from public.articles") == [["client"]])
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

    // MARK: - The rate limit

    @Test(
        "a link that nobody waits for is postponed by the rate limit, without a reason and without counting as an attempt"
    )
    func postponed() throws {
        _ = try sql("update private.jobs set in_bulk = true")
        let hosts = HostRateLimiter(parallel: 1, pause: .seconds(60))
        #expect(hosts.requestFetch("x.test", isAwaited: false) == .now)
        #expect(work(on: try take(), hosts: hosts) { _ throws(SaveError) in throw .pageMissing } == .leaseEnded)
        #expect(try jobs() == [["pending", nil, "0"]] && said() == ["pending", nil, nil])
        #expect(
            try rows(
                "select run_at between now() + interval '60 seconds' and now() + interval '120 seconds', leased_by from private.jobs",
                columns: 2) == [["t", nil]])
        try request("update public.links set state = 'pending' where id = \(link)::uuid")
        _ = try sql("update private.jobs set run_at = now(), in_bulk = false")
        #expect(work(on: try take(), hosts: hosts) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
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
}
