import Jobs
import Postgres
import TestDatabase
import Testing

@testable import Saving

/// Pages that are too large or too complex to be read, and pages that end the process that reads them.
@Suite(
    "Saving / pages beyond a limit",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct UnreadablePageTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    // MARK: - Too large or too complex

    private func page(told act: String) -> Page {
        Page(
            url: "http://x.test/old", contentType: "text/html",
            html: "do: \(act) <title>Its title</title><p>Its <b>text</b> &amp; more.")
    }

    @Test("a page beyond a limit keeps its plain text, and the link says why")
    func overBudget() throws {
        #expect(work(on: try take()) { _ throws(SaveError) in page(told: "allocate") } == .leaseEnded)
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

    // MARK: - Crashes

    @Test(
        "a page that ends the process it is read in costs one attempt, and is read at the next",
        arguments: ["trap", "fork", "rubbish"])
    func crash(act: String) throws {
        #expect(work(on: try take()) { _ throws(SaveError) in page(told: act) } == .leaseEnded)
        #expect(
            try said() == [
                "pending", "reader_crashed", "This page could not be read. The server's log has the details.",
            ])
        #expect(try jobs() == [["pending", "reader_crashed", "1"]])
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
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
            throw .pageMissing
        }
        #expect(ending == .leaseEnded)
        #expect(
            try said() == [
                "failed", "interrupted",
                "The server stopped 2 times in a row while it worked on this page, and gave up.",
            ])
        #expect(try jobs() == [["buried", "interrupted", "0"]])
    }

    // MARK: - The stored state

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
                return nil
            }
            #expect(ending == .leaseEnded)
            #expect(try said().prefix(2) == [state, "not_stored"])
        }
        #expect(try jobs() == [["buried", "not_stored", "1"]])
    }
}
