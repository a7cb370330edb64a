import HTML
import Testing
import Text

@testable import Readability

@Suite("Readability / metadata of mode compat")
struct MetadataTests {
    private func metadata(_ head: String) throws -> Metadata {
        let document = try Document(parsing: head)
        return Metadata(document, linked: LinkedData.of(document))
    }

    @Test("JSON-LD has precedence over meta elements, and they over the title")
    func order() throws {
        let title = "<title>Title of the page itself</title>"
        let meta = "<meta property='og:title' content='From og'><meta name=author content='M. Meta'>"
        let linked = """
            <script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"From LD",
            "author":[{"name":"A"},{"name":" B "}],"publisher":{"name":"P"},"datePublished":"2024"}</script>
            """
        #expect(try metadata(title).title == "Title of the page itself")
        #expect(try metadata(title + meta).title == "From og")
        let all = try metadata(title + meta + linked)
        #expect(all.title == "From LD")
        #expect(all.byline == "A, B")
        #expect(all.siteName == "P")
        #expect(all.publishedTime == "2024")
    }

    @Test(
        "all spellings of a name are recognised",
        arguments: [
            "<meta name='dc.title' content=T>", "<meta name='DC:Title' content=T>",
            "<meta property=' og : title ' content=T>",
            "<meta property='x:y dc:title' content=T>", "<meta name='twitter:title' content=T>",
            "<meta name=parsely-title content=T>",
            "<meta name='weibo:article:title' content=T>", "<meta name=title content=T>",
        ])
    func names(meta: String) throws { #expect(try metadata(meta).title == "T") }

    @Test(
        "white space may separate the parts of a name but not its letters",
        arguments: ["ti tle", "og:ti tle", "d c:title", "xtitle"])
    func splitName(name: String) throws { #expect(try metadata("<meta name='\(name)' content=T>").title == "") }

    @Test("an author that is a URL is not a byline")
    func authorAddress() throws {
        #expect(try metadata("<meta property='article:author' content='https://x/y'>").byline == nil)
        #expect(try metadata("<meta property='article:author' content='A. Author'>").byline == "A. Author")
    }

    @Test(
        "character references are decoded again after the parser",
        arguments: [
            ("&amp;quot;a&amp;quot; &amp;#39;b&amp;#x27; &amp;amp;lt;", "\"a\" 'b' &lt;"),
            ("&amp;#0;&amp;#xD800;", "\u{FFFD}\u{FFFD}"),
            ("a &amp; b &amp;unknown;", "a & b &unknown;"),
            ("&amp;#00000000000000065;&amp;#99999999999;&amp;#x;&amp;#12", "A\u{FFFD}&#x;&#12"),
            ("&amp;\u{301}amp;lt;&amp;amp;\u{301}", "&\u{301}amp;lt;&\u{301}"),
        ])
    func escaped(written: String, expected: String) throws {
        #expect(try metadata("<meta name=title content='\(written)'>").title == expected)
    }

    @Test("every named character reference of the standard is decoded in a title")
    func allNames() throws {
        for (name, characters) in CharacterReferences.standard.named {
            let document = try Document(parsing: "<title>a&\(name)!</title>")
            #expect(
                document.elements([.title], below: document.root).map(document.textContent) == ["a\(characters)!"],
                "&\(name)")
        }
    }
}
