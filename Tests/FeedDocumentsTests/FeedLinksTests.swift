import Testing

@testable import FeedDocuments

@Suite("FeedDocuments / feeds of pages")
struct FeedLinksTests {
    @Test("the feeds in the head of a page are found, those of comments last")
    func found() {
        let page = """
            <!doctype html><html><head><base href="/blog/"><script>"<link rel=alternate type=application/rss+xml href=/no>"</script>
            <!-- <link rel=alternate type=application/rss+xml href=/no> -->
            <link rel="alternate" type="application/rss+xml" title="Comments" href="c.xml">
            <LINK REL='Alternate home' TYPE='application/atom+xml; charset=utf-8' HREF='a.xml?x=1&amp;y'>
            <link rel=alternate type=application/feed+json href=https://other.test/feed.json>
            <link rel=alternate type=text/html href=/de> <link rel=stylesheet type=application/rss+xml href=/no>
            <link rel=alternate type=application/rss+xml href=javascript:1></head>
            """
        #expect(
            FeedLinks.find(inPage: page, url: "https://site.test/x") == [
                "https://site.test/blog/a.xml?x=1&y", "https://other.test/feed.json", "https://site.test/blog/c.xml",
            ])
    }

    @Test("a page without feeds has none", arguments: ["", "<link", "<p>Text</p>", "<link rel=alternate href=/a>"])
    func none(page: String) { #expect(FeedLinks.find(inPage: page, url: "https://site.test/") == []) }
}
