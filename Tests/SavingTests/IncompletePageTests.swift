import Jobs
import Postgres
import TestDatabase
import Testing

@testable import Saving

/// Interstitials, beginnings of articles for subscribers, and pages that have lost their article.
@Suite(
    "Saving / pages without their article",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct IncompletePageTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private static let challenge = """
        <html lang=en><head><title>Just a moment...</title><meta name=description content=d><link rel=canonical href=/c></head>
        <body><form id=challenge-form></form><p>Verify you are human.</p></body></html>
        """

    @Test("an interstitial gives the link nothing but the reason")
    func inItsPlace() throws {
        let wall = Page(url: "http://x.test/wall?next=old", contentType: "text/html", html: Self.challenge)
        #expect(work(on: try take()) { _ throws(SaveError) in wall } == .leaseEnded)
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
        for _ in 0..<2 { #expect(work(on: try take()) { _ throws(SaveError) in wall } == .leaseEnded) }
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
}
