import HTML
import Testing

@testable import Readability

/// 2026-11-22.
let someday = 1_795_305_600

func readFacts(_ page: String, url: String = "https://www.tidewater.example/2024/harbour") throws -> PageFacts {
    PageFacts(try Document(parsing: page), url: url, now: someday)
}

@Suite("Readability / page facts")
struct PageFactsTests {
    @Test(
        "texts are unescaped exactly once, also if the page escaped them twice",
        arguments: [
            ("A &amp;amp; B", "A &amp; B"), ("A &amp; B", "A & B"), ("&amp;#39;&amp;quot;x", "&#39;&quot;x"),
            ("caf&eacute; &#150; &notin;", "café – ∉"),
            ("&#0;&#xD800;x", "\u{FFFD}\u{FFFD}x"),
        ])
    func once(written: String, expected: String) throws {
        let facts = try readFacts(
            """
            <title>\(written)</title><meta name=description content='\(written)'><meta property='og:site_name' content='\(written)'>
            <meta property='og:title' content='\(written)'>
            """)
        #expect([facts.description, facts.siteName] == [expected, expected])
    }

    @Test(
        "JSON-LD texts are unescaped once, like markup, and contain no U+0000",
        arguments: [
            ("A &amp; B", "A & B"), ("A &amp;amp; B", "A &amp; B"), ("L&#8217;&eacute;t&eacute;", "L’été"),
            ("R&D", "R&D"),
            (#"x\u0000&#0;"#, "x\u{FFFD}\u{FFFD}"),
        ])
    func escapedInLinkedData(written: String, expected: String) throws {
        let facts = try readFacts(
            """
            <script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"\(written)",
            "description":"\(written)"}</script>
            """)
        #expect([facts.title, facts.description] == [expected, expected])
    }

    @Test("an empty page has only the facts that its URL contains")
    func nothing() throws {
        let facts = try readFacts("", url: "https://a.example/x")
        #expect(
            [
                facts.title, facts.byline, facts.siteName, facts.publishedAt, facts.declaredLanguage, facts.canonical,
                facts.icon,
            ].allSatisfy { $0 == nil })
        #expect(try readFacts("<p>x", url: "https://a.example/2024/05/06/x").publishedAt == "2024-05-06T00:00:00Z")
    }

    @Test(
        "facts are read from all forms of JSON-LD, Open Graph, Dublin Core and microdata",
        arguments: [
            #"<script type="application/ld+json">{"@type":"NewsArticle","headline":"T t","author":[{"name":"Ann Lee"},{"name":"Bo Ek"}],"datePublished":"2024-05-06"}</script>"#,
            #"<script type="application/ld+json">[{"@type":"Organization"},{"@type":["NewsArticle","Thing"],"headline":"T t","author":["Ann Lee","Bo Ek"],"datePublished":"2024-05-06",}]</script>"#,
            ##"<script type="application/ld+json">{"@graph":[{"@id":"#a","@type":"Person","name":"Ann Lee"},{"@id":"#b","@type":"Person","name":"Bo Ek"},{"@type":"BlogPosting","headline":"T t","author":[{"@id":"#a"},{"@id":"#b"}],"datePublished":"2024-05-06"}]}</script>"##,
            #"<script type="application/ld+json">{"@type":"WebPage","mainEntity":{"@type":"schema:Article","headline":"T t","author":{"name":["Ann Lee","Bo Ek"]},"datePublished":"2024-05-06"}}</script>"#,
            #"<script type="application/ld+json">{"@type":"Article"</script><script type="application/ld+json">//<![CDATA["#
                + "\n"
                + #"{"@type":"Article","headline":"T t","author":"Ann Lee and Bo Ek","datePublished":"2024-05-06"}"#
                + "\n//]]></script>",
            "<meta property='og:title' content='T t'><meta name=author content='By Ann Lee, Bo Ek'><meta property='article:published_time' content='2024-05-06'>",
            "<meta name='DC.title' content='T t'><meta name='DC.creator' content='Ann Lee'><meta name='dcterms.creator' content='Bo Ek'><meta name='DC.date.issued' content='2024-05-06'>",
            "<meta name=citation_title content='T t'><meta name=citation_author content='Ann Lee'><meta name=citation_author content='Bo Ek'><meta name=citation_publication_date content='2024/05/06'>",
            "<h1 itemprop=headline>T t</h1><p itemprop=author><span itemprop=name>Ann Lee</span><p itemprop=author><span itemprop=name>Bo Ek</span></p><time itemprop=datePublished datetime='2024-05-06'>Monday</time>",
            "<title>T t</title><h1>T t</h1><a rel=author href=/a>Ann Lee</a> <a rel='nofollow author' href=/b>Bo Ek</a><time datetime='2024-05-06'>Monday</time>",
            "<title>T t</title><h1>T t</h1><p class=byline>Written by Ann Lee &amp; Bo Ek</p><p class=dateline>Published May 6, 2024</p>",
        ])
    func sources(page: String) throws {
        let facts = try readFacts(page)
        #expect(facts.title == "T t")
        #expect(facts.byline == "Ann Lee, Bo Ek")
        #expect(facts.publishedAt == "2024-05-06T00:00:00Z")
    }

    @Test("among several JSON-LD articles the page's own is used; a list of other articles is ignored")
    func several() throws {
        func script(_ objects: String...) -> String {
            "<script type='application/ld+json'>[\(objects.joined(separator: ","))]</script>"
        }
        let other = #"{"@type":"Article","headline":"Another story","url":"https://www.tidewater.example/other"}"#
        let own = #"{"@type":"Article","headline":"Own","url":"http://tidewater.example/2024/harbour/#top"}"#
        #expect(try readFacts(script(other, own)).title == "Own")
        #expect(
            try readFacts("<title>The harbour freezes over</title>" + script(other, other, other)).title
                == "The harbour freezes over")
    }

    @Test("hostile metadata is processed quickly and yields short facts")
    func hostile() throws {
        let long = String(repeating: "a title without an end ", count: 50_000)
        let facts = try readFacts(
            """
            <title>\(long)</title><meta property='og:title' content='\(long)'><h1>\(long)</h1>
            \(String(repeating: "<meta name=author content='Ann Lee'><meta name=x content=y>", count: 10_000))
            <script type="application/ld+json">\(String(repeating: #"{"@graph":["#, count: 100_000))</script>
            <script type="application/ld+json">{"@type":"Article","headline":"</h1><script>alert(1)","datePublished":"99999-01-01"}</script>
            <link rel=canonical href="javascript:alert(1)"><link rel=icon href="data:image/png;base64,AAAA"><meta property="og:image" content="file:///etc/passwd">
            """)
        #expect((facts.title ?? "").utf8.count <= 2_000)
        #expect(facts.byline == "Ann Lee")
        #expect([facts.publishedAt, facts.canonical, facts.icon].allSatisfy { $0 == nil })
        #expect(facts.pictures.isEmpty)
    }
}
