import Testing

@testable import Feeds

@Suite("Feeds / Atom")
struct AtomFeedTests {
    private func atom(_ entries: [FeedEntry]) -> String {
        let feed = Feed(
            id: "urn:lectern:1:unread", title: "Unread", address: "https://l.example/feed/t/x/unread.atom",
            homePage: "https://l.example/", entries: entries)
        return String(decoding: AtomFeed(feed).bytes, as: UTF8.self)
    }

    @Test("a feed names itself, its author and the time of its newest change")
    func head() {
        var older = FeedEntry.example
        older.updated = "2026-01-31T13:00:00Z"
        let text = atom([older, .example])
        for part in [
            "<id>urn:lectern:1:unread</id><title>Unread</title><updated>2026-02-01T12:00:00Z</updated>",
            "<author><name>Lectern</name></author>",
            "<link rel=\"self\" type=\"application/atom+xml\" href=\"https://l.example/feed/t/x/unread.atom\"/>",
        ] { #expect(text.contains(part)) }
    }

    @Test("a feed without entries has a time")
    func empty() { #expect(atom([]).contains("<updated>1970-01-01T00:00:00Z</updated>")) }

    @Test("an entry has its article as escaped HTML, with the page's address and language")
    func content() {
        var entry = FeedEntry.example
        entry.content = "<p>a &amp; b</p>"
        entry.language = "en"
        let text = atom([entry])
        #expect(text.contains("<title xml:lang=\"en\">Tea &amp; &lt;Cake&gt;</title>"))
        #expect(
            text.contains(
                "<content type=\"html\" xml:lang=\"en\" xml:base=\"https://a.example/?b=1&amp;c=2\">"
                    + "&lt;p&gt;a &amp;amp; b&lt;/p&gt;</content>"))
    }

    @Test(
        "an article that is written from right to left, or in the direction of its text, says so",
        arguments: ["rtl", "auto"])
    func direction(_ direction: String) {
        var entry = FeedEntry.example
        entry.content = "<p>א</p>"
        entry.direction = direction
        #expect(atom([entry]).contains("&lt;div dir=\"\(direction)\"&gt;&lt;p&gt;א&lt;/p&gt;&lt;/div&gt;"))
    }

    @Test("an entry without an article has no content, unless it has no page either")
    func withoutContent() {
        var entry = FeedEntry.example
        #expect(!atom([entry]).contains("<content"))
        entry.page = nil
        #expect(atom([entry]).contains("<content type=\"html\"></content>"))
    }

    @Test("an entry without a page leads to the web app, which is not the base of its article")
    func readingView() {
        var entry = FeedEntry.example
        entry.readingView = "https://l.example/#/link/1"
        entry.content = "<p>a</p>"
        #expect(atom([entry]).contains("href=\"https://a.example/?b=1&amp;c=2\"") && !atom([entry]).contains("#/link"))
        entry.page = nil
        #expect(
            atom([entry]).contains("<link rel=\"alternate\" type=\"text/html\" href=\"https://l.example/#/link/1\"/>"))
        #expect(!atom([entry]).contains("xml:base"))
    }

    @Test("an entry tells author, tags and enclosure")
    func details() {
        var entry = FeedEntry.example
        entry.author = "Ann"
        entry.tags = ["a/b", "\"c\""]
        entry.enclosure = .init(address: "https://a.example/a.mp3", type: "audio/mpeg")
        let text = atom([entry])
        for part in [
            "<author><name>Ann</name></author>", "<category term=\"a/b\" label=\"a/b\"/>",
            "<category term=\"&quot;c&quot;\" label=\"&quot;c&quot;\"/>",
            "<link rel=\"enclosure\" type=\"audio/mpeg\" href=\"https://a.example/a.mp3\"/>",
        ] { #expect(text.contains(part)) }
    }
}
