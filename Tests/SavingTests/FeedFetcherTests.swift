import Postgres
import Synchronization
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / what the fetch of a feed has found")
struct FeedOutcomeTests {
    private func outcome(_ body: String, _ kind: ContentKind = .other, status: Int = 200) -> FeedOutcome {
        FeedOutcome(
            of: .success(
                FetchedPage(
                    requestedURL: "https://a.test/", finalURL: "https://a.test/", status: status, contentType: nil,
                    charsetLabel: nil, kind: kind, body: Array(body.utf8), hops: 0, seconds: 0, validators: nil,
                    permanentURL: "https://b.test/")), now: 1_795_651_200)
    }

    private func reason(_ outcome: FeedOutcome) -> String? {
        if case .failed(let failure) = outcome { failure.reason } else { nil }
    }

    @Test("a feed is read whatever its media type, and 304 tells where the feed has moved")
    func found() {
        for kind in [ContentKind.html, .text, .other] {
            guard case .document(let feed, _) = outcome("<rss><channel><title>T</title></channel></rss>", kind) else {
                Issue.record("no feed")
                continue
            }
            #expect(feed.title == "T")
        }
        guard case .unchanged("https://b.test/") = outcome("", status: 304) else {
            Issue.record("not unchanged")
            return
        }
    }

    @Test("a page leads to the feed that it names, and other files are failures")
    func others() {
        let link = "<link rel=alternate type=application/rss+xml href=/feed>"
        guard case .page("https://a.test/feed") = outcome("<html><head>\(link)", .html) else {
            Issue.record("no feed found")
            return
        }
        #expect(reason(outcome("<html>", .html)) == "The address leads to a web page that names no feed.")
        #expect(reason(outcome("<rss><channel><title>Cut")) == "The feed is cut off or broken. It has no entries.")
        #expect(reason(outcome("text")) == "The address leads to a file that is not a feed.")
    }

    @Test("only 410 is final, and users are not told why a private address was refused")
    func failures() {
        for status in [404, 410, 500] {
            guard case .failed(let failure) = FeedOutcome(of: .failure(.answered(status, retryAfter: 5)), now: 0) else {
                Issue.record("no failure")
                continue
            }
            #expect(failure.isFinal == (status == 410) && failure.retryAfter == 5)
        }
        let refused = FeedOutcome(of: .failure(FetchError(.blockedAddress, "10.0.0.1 is inner.")), now: 0)
        #expect(reason(refused) == "The site could not be reached.")
    }
}

@Suite("Saving / turns of feeds", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct FeedTurnsTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("a user with many slow feeds occupies a part of the requests only, and a lost fetch stores nothing")
    func turns() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into private.feeds (user_id, url, next_fetch_at)
            select case when n = 40 then \(other)::uuid else \(fixture.user)::uuid end, 'https://a.test/' || n,
                now() - case when n = 40 then interval '1 second' else interval '1 hour' end
            from generate_series(1, 40) n
            """)
        let asked = Mutex<[String]>([])
        let fetcher = FeedFetcher { request, _ in asked.withLock { $0.append(request.url) } }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        while try fetcher.work(&connection) {}
        #expect(asked.withLock { $0.count } == 4 && asked.withLock { $0.contains("https://a.test/40") })
        let late = try sql(
            """
            select private.store_feed(id, fetches - 1, '{"keys": [], "entries": []}', 0, 0) from private.feeds
            where user_id = \(other)::uuid
            """)
        #expect(late.count == 1 && late.text(0, 0) == nil)
        #expect(try sql("select count(*) from private.feeds where state <> 'new'").int(0, 0) == 0)
    }

    @Test("an entry that two feeds have becomes one link")
    func shared() throws {
        _ = try sql(
            "insert into private.feeds (user_id, url) select \(fixture.user)::uuid, 'https://a.test/' || n from generate_series(1, 2) n"
        )
        let fetcher = FeedFetcher { request, complete in
            let body = "<rss><channel><title>T</title><item><link>/a</link></item></channel></rss>"
            complete(
                .success(
                    FetchedPage(
                        requestedURL: request.url, finalURL: request.url, status: 200, contentType: nil,
                        charsetLabel: nil, kind: .other, body: Array(body.utf8), hops: 0, seconds: 0, validators: nil)))
        }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        while try fetcher.work(&connection) {}
        let rows = try sql("select state, saved_count from private.feeds order by url")
        #expect(rows.text(0, 0) == "ok" && rows.text(1, 0) == "ok")
        #expect([rows.int(0, 1), rows.int(1, 1)].compactMap(\.self).sorted() == [0, 1], "one link for both")
    }

    @Test("one request serves the feeds of all users with an address, and a failure is of one feed only")
    func copies() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into private.feeds (user_id, url, skip_words, is_paused, next_fetch_at)
            select u, url, case when u = \(other)::uuid then array['ads'] else '{}' end,
                url ~ 'paused' and u = \(other)::uuid,
                now() + case when u = \(other)::uuid then interval '20 minutes' else interval '0' end
            from unnest(array[\(fixture.user)::uuid, \(other)::uuid]) as u,
                unnest(array['https://a.test/feed', 'https://a.test/paused', 'https://a.test/gone']) as url
            """)
        let asked = Mutex<[String]>([])
        let fetcher = FeedFetcher { request, complete in
            asked.withLock { $0.append(request.url) }
            let items = "<item><link>/a</link></item><item><title>Ads</title><link>/b</link></item>"
            let page = FetchedPage(
                requestedURL: request.url, finalURL: request.url, status: request.copy == nil ? 200 : 304,
                contentType: nil, charsetLabel: nil, kind: .other,
                body: request.copy == nil ? Array("<rss><channel>\(items)</channel></rss>".utf8) : [], hops: 0,
                seconds: 0,
                validators: Validators(url: request.url, etag: "\"1\"", lastModified: nil))
            complete(request.url.hasSuffix("gone") ? .failure(.answered(404, retryAfter: nil)) : .success(page))
        }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        while try fetcher.work(&connection) {}
        #expect(asked.withLock { $0.sorted() } == ["feed", "gone", "paused"].map { "https://a.test/\($0)" })
        let states: SQL = """
            select string_agg(concat_ws(' ', substr(url, 16), state, saved_count), ', ' order by url)
            from private.feeds where user_id = \(other)::uuid
            """
        #expect(try sql(states).text(0, 0) == "feed ok 1, gone new 0, paused new 0")
        // The document is known to both now, and 304 is for both.
        _ = try sql("update private.feeds set next_fetch_at = now(), last_success_at = null where url ~ 'feed'")
        while try fetcher.work(&connection) {}
        #expect(asked.withLock { $0.count } == 4)
        let kept: SQL = "select count(*) from private.feeds where url ~ 'feed' and last_success_at is not null"
        #expect(try sql(kept).int(0, 0) == 2)
    }
}
