import Testing

@testable import FeedDocuments

@Suite("FeedDocuments / feeds")
struct FeedDocumentTests {
    /// 2026-11-26.
    private static let now = 1_795_651_200

    private func read(_ text: String, url: String = "https://site.test/feeds/all.xml") -> FeedDocument? {
        FeedDocument(text, url: url, now: Self.now)
    }

    @Test("RSS 2.0 is read with its extensions")
    func rss() throws {
        let feed = try #require(
            read(
                """
                <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "b">]>
                <rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
                    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom">
                <channel><title>News &amp;amp; views</title><atom:link rel="self" href="/self"/><link>https://site.test/</link>
                <image><title>A picture</title><link>https://other.test/</link></image>
                <item><title><![CDATA[Tea <em>and</em> cake]]></title><link> /2026/tea </link><guid isPermaLink="false">tag:1</guid>
                <pubDate>Tue, 06 Oct 2026 08:30:00 +0200</pubDate><dc:creator>Ann &lt;b&gt;Lee&lt;/b&gt;</dc:creator>
                <category>Food</category><category>Tea</category><description>&lt;p&gt;Short.&lt;/p&gt;&lt;p&gt;Text&lt;/p&gt;</description>
                <c:encoded><![CDATA[<p>The <b>whole</b> text]]>]]&gt;<![CDATA[</p>]]></c:encoded>
                <itunes:title>Not this</itunes:title>
                <itunes:duration>1:02:03</itunes:duration><enclosure url="/tea.mp3" length="1" type="audio/mpeg"/></item>
                </channel></rss>
                """))
        #expect(feed.title == "News & views" && feed.siteURL == "https://site.test/")
        var entry = FeedDocument.Entry(id: "tag:1", url: "https://site.test/2026/tea")
        (entry.title, entry.author, entry.published) = ("Tea and cake", "Ann Lee", 1_791_268_200)
        entry.categories = ["Food", "Tea"]
        (entry.summary, entry.content) = ("Short. Text", "<p>The <b>whole</b> text]]></p>")
        entry.enclosure = .init(url: "https://site.test/tea.mp3", type: "audio/mpeg", duration: 3_723)
        #expect(feed.entries == [entry])
    }

    @Test("Atom is read, with markup of its own and addresses relative to xml:base")
    func atom() throws {
        let feed = try #require(
            read(
                """
                <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://base.test/blog/">
                <a:title type="html">A &amp;lt;blog&gt;</a:title><a:link href="."/><a:author><a:name>Nobody</a:name></a:author>
                <a:entry xml:base="posts/"><a:title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">One <i>two</i></div></a:title>
                <a:link rel="edit" href="edit"/><a:link type="application/json" href="1.json"/><a:link href="1"/>
                <a:id>urn:1</a:id><a:updated>2026-10-07T00:00:00Z</a:updated><a:published>2026-10-06T06:30:00Z</a:published>
                <a:author><a:name>Ben</a:name></a:author><a:source><a:title>Elsewhere</a:title><a:id>urn:x</a:id></a:source>
                <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A &amp; b</p></div></a:content></a:entry>
                <a:entry><a:title>1 &lt; 2</a:title><a:link href="2"/><a:content>a &lt; b</a:content></a:entry></a:feed>
                """))
        #expect(feed.title == "A <blog>" && feed.siteURL == "https://base.test/blog/")
        let first = try #require(feed.entries.first), second = try #require(feed.entries.last)
        #expect(first.url == "https://base.test/blog/posts/1" && first.id == "urn:1" && first.title == "One two")
        #expect(first.author == "Ben" && first.published == 1_791_268_200)
        #expect(first.content == #"<div xmlns="http://www.w3.org/1999/xhtml"><p>A &amp; b</p></div>"#)
        #expect(second.title == "1 < 2" && second.content == "<p>a &lt; b</p>" && second.id == second.url)
    }

    @Test("RSS 1.0 has its entries beside the channel")
    func rdf() throws {
        let feed = try #require(
            read(
                """
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
                    xmlns:dc="http://purl.org/dc/elements/1.1/">
                <channel rdf:about="https://site.test/"><title>Old</title><link>https://site.test/</link></channel>
                <item rdf:about="https://site.test/1"><title>First</title><link>https://site.test/1</link>
                <dc:date>2026-10-06T06:30Z</dc:date></item></rdf:RDF>
                """))
        #expect(feed.title == "Old" && feed.entries.map(\.id) == ["https://site.test/1"])
        #expect(feed.entries.first?.published == 1_791_268_200)
    }

    @Test("JSON Feed is read")
    func json() throws {
        let feed = try #require(
            read(
                """
                {"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "https://site.test/", "items": [
                    {"id": 7, "url": "/a", "title": "A", "content_html": "<p>Text</p>", "summary": "S & s",
                     "date_published": "2026-10-06T08:30:00+02:00", "authors": [{"name": "Ann"}, {"name": "Ben"}], "tags": ["t"],
                     "attachments": [{"url": "a.png", "mime_type": "image/png"},
                        {"url": "a.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 60}]},
                    {"id": "x", "external_url": "https://other.test/", "content_text": "a < b"}, {"id": "none"}, 5]}
                """, url: "https://site.test/feed.json"))
        #expect(feed.title == "J" && feed.siteURL == "https://site.test/")
        var first = FeedDocument.Entry(id: "7", url: "https://site.test/a")
        (first.title, first.author, first.published) = ("A", "Ann, Ben", 1_791_268_200)
        (first.categories, first.summary, first.content) = (["t"], "S & s", "<p>Text</p>")
        first.enclosure = .init(url: "https://site.test/a.mp3", type: "audio/mpeg", duration: 60)
        #expect(feed.entries.first == first)
        #expect(feed.entries.dropFirst().map(\.content) == ["<p>a &lt; b</p>"])
    }

    @Test(
        "the address of an entry is found where sites put it",
        arguments: [
            ("<link>https://a.test/1</link>", "https://a.test/1"),
            ("<guid>https://a.test/2</guid>", "https://a.test/2"),
            ("<guid isPermaLink='false'>https://a.test/3</guid>", nil),
            ("<link/><guid isPermaLink='true'>https://a.test/4</guid>", "https://a.test/4"),
            ("<enclosure url='https://a.test/5.mp3' type='audio/mpeg'/>", "https://a.test/5.mp3"),
            (
                "<link>https://proxy.test/</link><x:origLink xmlns:x='http://rssnamespace.org/feedburner/ext/1.0'>https://a.test/6</x:origLink>",
                "https://a.test/6"
            ),
            ("<link>javascript:alert(1)</link>", nil), ("<title>None</title>", nil),
        ])
    func address(item: String, url: String?) {
        #expect(read("<rss><channel><item>\(item)</item></channel></rss>")?.entries.first?.url == url)
    }

    @Test(
        "an entry has the language that it or its feed states",
        arguments: [
            ("<rss><channel><item><link>/a</link></item><language> de-AT </language></channel></rss>", "de-AT"),
            (
                "<rss xml:lang='fr'><channel><language>de</language><item><link>/a</link></item></channel></rss>",
                "fr"
            ),
            ("<rss><channel><item><link>/a</link><dc:language>it</dc:language></item></channel></rss>", "it"),
            ("<rss><channel><item><link>/a</link></item></channel></rss>", nil),
            (
                """
                <feed xml:lang='de'><entry xml:lang='fr'><link href='/a'/><content xml:lang='ar'>x</content></entry>
                </feed>
                """, "ar"
            ),
            ("<feed xml:lang='de'><entry><link href='/a'/></entry></feed>", "de"),
            (
                """
                {"version": "https://jsonfeed.org/version/1.1", "language": "pl", "items": [{"id": "1", "url": "/a"}]}
                """, "pl"
            ),
        ] as [(String, String?)])
    func language(text: String, language: String?) throws {
        #expect(try #require(read(text)?.entries.first).language == language)
    }

    @Test(
        "dates of all kinds are read, and those in the future or of no calendar are left out",
        arguments: [
            ("Tue, 06 Oct 2026 06:30:00 GMT", 1_791_268_200), ("6 Oct 2026 06:30 UT", 1_791_268_200),
            ("2026-10-06T08:30:00+02:00", 1_791_268_200), ("2026-10-06", 1_791_244_800),
            ("Fri, 01 Jan 2088 00:00:00 GMT", nil), ("yesterday", nil), ("", nil),
        ])
    func dates(text: String, seconds: Int?) {
        let feed = read("<rss><channel><item><link>/a</link><pubDate>\(text)</pubDate></item></channel></rss>")
        #expect(feed?.entries.first?.published == seconds)
    }

    @Test(
        "what is no feed is not read",
        arguments: [
            "", "<html><head><title>x</title></head></html>", "{}", "[1]", "{\"version\": \"2\", \"items\": []}",
            "text", "<", "<rss/>", "<rss></rss>", "<rss><chan", "<rss><channel>",
            "<?xml version='1.0'?><rss version='2.0'><channel><title>Cut",
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title>",
            "<opml><outline/></opml>", "\u{0}",
        ])
    func others(text: String) { #expect(read(text) == nil) }

    @Test("a feed that breaks off has the entries up to there")
    func broken() {
        let entry = "<item><link>/1</link></item>"
        for end in ["<item><link>/2</link", "<item><title>x", "<!-- ", "<![CDATA[", "</", "<item a='"] {
            let feed = read("<rss><channel><title>T</title>\(entry)\(end)")
            #expect(feed?.entries.first?.url == "https://site.test/1" && feed?.title == "T", "\(end)")
        }
    }

    @Test("entities are not expanded, and nothing is unbounded", .timeLimit(.minutes(1)))
    func hostile() throws {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>"
        let title = read("\(bomb)<rss><channel><title>&b;&c;</title></channel></rss>")?.title
        #expect(title == "&b;&c;")
        let deep = String(repeating: "<x>", count: 200_000)
        let deepFeed = read("<rss><channel><item><link>/1</link><description>\(deep)</item></channel></rss>")
        #expect(deepFeed != nil)
        let many = String(repeating: "<item><link>/1</link><title>t</title></item>", count: 100_000)
        #expect(read("<rss><channel>\(many)</channel></rss>")?.entries.count == FeedDocument.maxEntries)
        let tags = String(repeating: "<", count: 1_000_000)
        #expect(read("<rss><channel><item><link>/1</link><title>\(tags)</title></item>")?.entries.count == 1)
        let attributes = String(repeating: " a='", count: 300_000)
        #expect(read("<rss><channel><item\(attributes)") == nil)
        #expect(read("{\"version\": \(String(repeating: "[", count: 1_000_000))") == nil)
    }

    @Test(
        "an entry with a hundred thousand addresses, dates and categories keeps the best ones", .timeLimit(.minutes(1)))
    func many() throws {
        let parts = (0..<100_000).map {
            "<link>https://site.test/\($0)</link><pubDate>Tue, 06 Oct 2026 08:30:00 GMT</pubDate><category>\($0)</category>"
        }
        let feed = try #require(read("<rss><channel><item>\(parts.joined())</item></channel></rss>"))
        #expect(feed.entries.map(\.url) == ["https://site.test/0"] && feed.entries[0].published == 1_791_275_400)
        #expect(feed.entries[0].categories == (0..<30).map(String.init))
    }
}
