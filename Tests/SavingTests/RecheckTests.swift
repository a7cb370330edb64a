import Jobs
import Postgres
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

/// Rechecks of pages that were saved before.
@Suite("Saving / rechecks", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct RecheckTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    /// The site's page, with an entity tag.
    private static func tagged(_ request: FetchRequest, _ tag: String = "\"1\"", words: String? = nil) -> Page {
        var page = Self.page(request)
        if let words { page.html = words }
        page.validators = Validators(url: page.url, etag: tag, lastModified: nil)
        return page
    }

    /// Saves the link's page, and enqueues a recheck.
    private func saved(tag: String = "\"1\"", then kind: String) throws {
        #expect(work(on: try take()) { request throws(SaveError) in Self.tagged(request, tag) } == .leaseEnded)
        try queue(kind)
    }

    private func queue(_ kind: String) throws {
        _ = try sql("select private.recheck_batch(null, 10, false, kind => \(kind), spacing => '0')")
    }

    private func pageCheck() throws -> [[String?]] {
        try rows("select etag, broken_since is not null, reason, message from private.page_checks", columns: 4)
    }

    private func texts() throws -> [[String?]] {
        try rows("select text_content, extracted_at from public.articles", columns: 2)
    }

    private func broken() throws -> [[String?]] {
        try rows(
            "select link_id, reason, message, has_article, broken_since is not null from public.broken_links",
            columns: 5)
    }

    // MARK: - What has not changed

    @Test(
        "a page that was tagged is asked for only if it has changed, and its article stays",
        arguments: ["save", "refresh"])
    func unchanged(kind: String) throws {
        try saved(then: "refresh")
        if kind == "save" {
            _ = try sql("delete from private.jobs")
            try request("update public.links set state = 'pending'")
        }
        let before = try texts()
        let ending = work(on: try take()) { request throws(SaveError) in
            #expect(
                request.copy == Validators(url: "http://x.test/old", etag: "\"1\"", lastModified: nil)
                    && request.wantsBody)
            return nil
        }
        #expect(ending == .leaseEnded)
        #expect(try texts() == before && before.count == 1)
        #expect(try said() == ["ready", nil, nil])
        #expect(try pageCheck() == [["\"1\"", "f", nil, nil]])
    }

    @Test(
        "a page is asked for in full where reading it again could make another article",
        arguments: [
            "delete from public.articles", "update public.articles set is_whole = false",
            "update private.page_checks set asked_url = 'http://x.test/older'",
            "update public.articles set extractor_version = 0, source = 'client'",
            "update private.page_checks set etag = null",
        ])
    func inFull(change: String) throws {
        try saved(then: "refresh")
        _ = try sql(SQL(stringLiteral: change))
        _ = work(on: try take()) { request throws(SaveError) in
            #expect(request.copy == nil)
            return Self.tagged(request)
        }
        #expect(try texts().count == 1)
    }

    @Test("an article of an older extractor is extracted again from the stored page where the page has not changed")
    func older() throws {
        try saved(then: "refresh")
        _ = try sql("update public.articles set extractor_version = 0, text_content = 'x'")
        _ = try sql("update private.sources set read_by = 0")
        _ = work(on: try take()) { request throws(SaveError) in
            #expect(request.copy != nil)
            return nil
        }
        #expect(
            try rows("select text_content like '%lectern%', extractor_version > 0 from public.articles", columns: 2)
                == [["t", "t"]])
    }

    // MARK: - What has

    @Test("a changed page is read again, and its new entity tag is stored")
    func changed() throws {
        try saved(then: "refresh")
        let before = try texts()
        _ = work(on: try take()) { request throws(SaveError) in
            var page = Self.tagged(request, "\"2\"")
            page.html = page.html?.replacing("slowly", with: "quickly")
            return page
        }
        #expect(try texts() != before && texts().first?.first??.contains("quickly") == true)
        #expect(try pageCheck() == [["\"2\"", "f", nil, nil]])
        #expect(try said() == ["ready", nil, nil])
    }

    @Test(
        "a page that has become a wall, or less, takes nothing away and says nothing",
        arguments: [
            "<title>Domain</title><p>This domain is for sale.</p>",
            "<title>Just a moment...</title><h1>Checking your browser</h1>", "",
        ])
    func worse(page words: String) throws {
        try saved(then: "refresh")
        let before = try texts()
        _ = work(on: try take()) { request throws(SaveError) in Self.tagged(request, "\"2\"", words: words) }
        #expect(try texts() == before)
        #expect(try said() == ["ready", nil, nil])
    }

    // MARK: - What is gone

    @Test(
        "a page that is gone is told in broken_links, its link stays as it is, and no job is left",
        arguments: ["check", "refresh"])
    func gone(kind: String) throws {
        try saved(then: kind)
        let before = try texts()
        #expect(work(on: try take()) { request throws(SaveError) in throw .pageMissing } == .leaseEnded)
        #expect(try broken() == [[link, "http_error", "The site has no such page (status 404).", "t", "t"]])
        #expect(try said() == ["ready", nil, nil])
        #expect(try jobs().isEmpty)
        #expect(try texts() == before)
        // The stored validators stay, for when the page is back.
        #expect(try pageCheck().first?.first == "\"1\"")
    }

    @Test(
        "a broken page keeps its first broken time, and is not broken any more when it is back",
        arguments: ["check", "refresh", "save"])
    func back(kind: String) throws {
        try saved(then: "check")
        _ = work(on: try take()) { request throws(SaveError) in throw .pageMissing }
        _ = try sql("update private.page_checks set broken_since = '2025-01-02'")
        try queue("check")
        _ = work(on: try take()) { request throws(SaveError) in throw .pageMissing }
        #expect(try rows("select broken_since = '2025-01-02' from public.broken_links") == [["t"]])
        if kind == "save" { try request("update public.links set state = 'pending'") } else { try queue(kind) }
        _ = work(on: try take()) { request throws(SaveError) in kind == "refresh" ? nil : Self.tagged(request) }
        #expect(try broken().isEmpty)
    }

    @Test("a temporary failure is retried before a page counts as broken")
    func patience() throws {
        try saved(then: "check")
        let policy = RetryPolicy(base: .zero, attempts: 2)
        _ = work(on: try take(), policy: policy) { _ throws(SaveError) in throw .timedOut }
        #expect(try broken().isEmpty)
        #expect(try jobs() == [["pending", "timeout", "1"]])
        _ = work(on: try take(), policy: policy) { _ throws(SaveError) in throw .timedOut }
        #expect(try broken().map { $0[1] } == ["timeout"])
        #expect(try jobs().isEmpty)
    }

    @Test("a refusal does not tell whether the page exists", arguments: [401, 402, 403, 429])
    func refusal(status: Int) throws {
        try saved(then: "check")
        let policy = RetryPolicy(base: .zero, attempts: 1)
        let refuse = { (_: FetchRequest) throws(SaveError) -> Page? in
            throw SaveError(.answered(status, retryAfter: nil))
        }
        _ = work(on: try take(), policy: policy, resolve: refuse)
        #expect(try broken().isEmpty && jobs().isEmpty)
        // The same holds for a page that is gone.
        try queue("check")
        _ = work(on: try take()) { _ throws(SaveError) in throw .pageMissing }
        _ = try sql("update private.page_checks set broken_since = '2025-01-02', visited_at = '2025-01-02'")
        try queue("check")
        _ = work(on: try take(), policy: policy, resolve: refuse)
        #expect(
            try rows(
                "select broken_since = '2025-01-02', reason, visited_at > '2026-01-01' from public.broken_links",
                columns: 3) == [["t", "http_error", "t"]])
    }

    @Test("a failed refresh counts as a check", arguments: [true, false])
    func failedRefresh(isGone: Bool) throws {
        try saved(then: "refresh")
        _ = try sql("update private.page_checks set read_at = '2025-01-02', visited_at = '2025-01-02'")
        _ = work(on: try take(), policy: RetryPolicy(base: .zero, attempts: 1)) { _ throws(SaveError) in
            throw isGone ? .pageMissing : SaveError(.answered(403, retryAfter: nil))
        }
        #expect(try rows("select changed from private.queue_rechecks(null, 10, 'refresh', 1, '0')") == [["0"]])
        #expect(try pageCheck().first?.first == "\"1\"")
    }

    @Test("a quota that postpones a recheck is not mentioned on the link")
    func quota() throws {
        try saved(then: "refresh")
        _ = try sql("update public.links set reason = 'login_wall', reason_message = 'Sign in.'")
        for quotas in [Quotas(fetches: 1), Quotas(storage: 1)] {
            let ending = work(on: try take(), quotas: quotas) { _ throws(SaveError) in
                Issue.record("it is not fetched")
                throw .pageMissing
            }
            #expect(ending == .leaseEnded)
            #expect(try said() == ["ready", "login_wall", "Sign in."])
            #expect(try broken().isEmpty)
            _ = try sql("update private.jobs set run_at = now()")
        }
        #expect(try jobs().isEmpty)
    }

    @Test("where a client has sent the page, the site's page is fetched and compared")
    func sent() throws {
        try saved(then: "refresh")
        _ = try sql(
            "insert into private.pages (link_id, user_id, url, html) values (\(link)::uuid, \(user)::uuid, 'http://x.test/old', '<p>less')"
        )
        _ = work(on: try take()) { request throws(SaveError) in
            #expect(request.copy == nil)
            return Self.tagged(request)
        }
        #expect(try rows("select source from public.articles") == [["server"]])
    }

    @Test("a page that was read and not chosen is read again, with the same reason")
    func worseByHand() throws {
        try saved(then: "check")
        _ = try sql("delete from private.jobs")
        for _ in 0..<2 {
            try request("update public.links set state = 'pending'")
            _ = work(on: try take()) { request throws(SaveError) in
                #expect(request.copy == nil || request.copy?.etag == "\"1\"")
                return Self.tagged(
                    request, "\"2\"",
                    words:
                        "<article><h1>Less</h1><p>\(String(repeating: "A few words of it. ", count: 20))</p></article>")
            }
            #expect(try said()[1] == "worse_page")
        }
        #expect(try pageCheck().first?.first == .some(nil))
    }

    @Test("a name that resolves to a private address is reported like an unknown name")
    func hidden() throws {
        try saved(then: "check")
        _ = work(on: try take(), policy: RetryPolicy(base: .zero, attempts: 1)) { _ throws(SaveError) in
            throw SaveError(FetchError(.blockedAddress, "10.0.0.1 is a private address."))
        }
        #expect(try broken().map { Array($0[1...2]) } == [["connection_failed", "The site could not be reached."]])
    }

    @Test("a page that crashes the process is given up, and the queue continues")
    func poison() throws {
        try saved(then: "check")
        for _ in 0..<8 {
            _ = try take()
            try runOut()
        }
        _ = work(on: try take()) { _ throws(SaveError) in
            Issue.record("it is not asked for once more")
            throw .pageMissing
        }
        #expect(try jobs().isEmpty)
        // This is not the site's failure.
        #expect(try broken().isEmpty)
    }

    @Test("a link that could not be fetched is broken, and is saved once its page exists")
    func hadFailed() throws {
        _ = work(on: try take()) { _ throws(SaveError) in throw .pageMissing }
        #expect(try broken() == [[link, "http_error", "The site has no such page (status 404).", "f", "t"]])
        try queue("check")
        let check = try take()
        #expect(check.kind == .check)
        _ = work(on: check) { request throws(SaveError) in
            #expect(!request.wantsBody)
            return Self.tagged(request)
        }
        #expect(try said() == ["pending", nil, nil])
        let save = try take()
        #expect(save.kind == .save && !save.isAwaited)
        _ = work(on: save) { request throws(SaveError) in Self.tagged(request) }
        #expect(try said() == ["ready", nil, nil])
        #expect(try broken().isEmpty && jobs().isEmpty)
    }

    @Test("the crawl delay applies to rechecks alone")
    func crawlDelay() throws {
        let hosts = HostRateLimiter(parallel: 4, pause: .zero)
        let robots = CrawlDelayCache(userAgent: "Lectern/1.0") { request in
            #expect(request.url == "http://x.test/robots.txt")
            return .success(
                FetchedPage(
                    requestedURL: request.url, finalURL: request.url, status: 200, contentType: "text/plain",
                    charsetLabel: nil, kind: .text,
                    body: Array("User-agent: *\nCrawl-delay: 60".utf8), hops: 0, seconds: 0))
        }
        _ = work(on: try take(), hosts: hosts, crawlDelays: robots) { request throws(SaveError) in Self.tagged(request)
        }
        for _ in 0..<2 {
            try queue("check")
            _ = work(on: try take(), hosts: hosts, crawlDelays: robots) { request throws(SaveError) in
                Self.tagged(request)
            }
        }
        #expect(
            try rows("select kind, attempts, run_at > now() + interval '50 seconds' from private.jobs", columns: 3) == [
                ["check", "0", "t"]
            ])
        // A save by the user is not delayed.
        _ = try sql("delete from private.jobs")
        try request("update public.links set state = 'pending'")
        _ = work(on: try take(), hosts: hosts, crawlDelays: robots) { request throws(SaveError) in Self.tagged(request)
        }
        #expect(try said().first == "ready")
    }

    @Test(
        "of a page that breaks off its title is kept, and gives way to none that its owner chose",
        arguments: [nil, "Mine"])
    func beginning(own: String?) throws {
        try request("update public.links set title = \(own) where id = \(link)::uuid")
        var error = FetchError(.tooLarge, "The page is larger than 20 MB.", status: 200)
        error.beginning = FetchedPage(
            requestedURL: "http://x.test/old", finalURL: "http://x.test/old", status: 200, contentType: "text/html",
            charsetLabel: nil, kind: .html,
            body: Array("<title>Half &amp; half</title><meta property=og:site_name content=X><p>".utf8), hops: 0,
            seconds: 0)
        _ = work(on: try take()) { _ throws(SaveError) in throw SaveError(error) }
        #expect(try said() == ["failed", "too_large", "The page is larger than 20 MB."])
        #expect(try rows("select title, site_name from public.links", columns: 2) == [[own ?? "Half & half", "X"]])
    }
}
