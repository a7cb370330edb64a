import JSON
import Testing

@testable import Feeds

@Suite("Feeds / JSON Feed")
struct JSONFeedTests {
    private func item(_ entry: FeedEntry) throws -> JSON {
        let feed = Feed(id: "urn:a", title: "A", address: "b", homePage: "c", entries: [entry])
        let json = try #require(JSON(parsing: JSONFeed(feed).bytes))
        #expect(json["version"] == .string("https://jsonfeed.org/version/1.1"))
        return try #require(json["items"]?.array?.first)
    }

    @Test("an item has an id, its page, its times and its article")
    func article() throws {
        var entry = FeedEntry.example
        entry.content = "<p>\u{1}a</p>"
        let item = try item(entry)
        #expect(item["id"] == .string("urn:uuid:5b2d0f7e-0000-4000-8000-000000000001"))
        #expect(item["url"] == .string("https://a.example/?b=1&c=2"))
        #expect(item["content_html"] == .string("<p>\u{1}a</p>"))
        #expect(item["date_published"] == .string("2026-01-31T12:00:00Z"))
    }

    @Test("an item without a page leads to the web app")
    func readingView() throws {
        var entry = FeedEntry.example
        entry.readingView = "https://l.example/#/link/1"
        #expect(try item(entry)["url"] == .string("https://a.example/?b=1&c=2"))
        entry.page = nil
        #expect(try item(entry)["url"] == .string("https://l.example/#/link/1"))
    }

    @Test("an item without an article has a text, and no member without a value")
    func withoutArticle() throws {
        let item = try item(.example)
        #expect(item["content_text"] == .string(""))
        for name in ["content_html", "authors", "tags", "language", "attachments", "summary", "image"] {
            #expect(item[name] == nil)
        }
    }
}
