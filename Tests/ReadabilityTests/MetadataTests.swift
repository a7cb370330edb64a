import HTML
import Testing
import Text

@testable import Readability

@Suite("Readability / title")
struct PageTitleTests {
    @Test(
        "the site's name is removed unless too little would remain",
        arguments: [
            ("A long enough story about cats | The Daily Site", "A long enough story about cats"),
            ("A long enough story about cats – The Daily Site", "A long enough story about cats"),
            ("Site | News | A story about all the cats", "Site | News | A story about all the cats"),
            ("Site » Cats and what they eat", "Cats and what they eat"),
            ("Cats | Site", "Cats | Site"), ("Site: A story about all the cats", "A story about all the cats"),
            ("One two three four five six: a story of cats", "One two three four five six: a story of cats"),
            ("A well-known story about on/off switches", "A well-known story about on/off switches"),
            ("  A   story\n about cats and dogs  ", "A story about cats and dogs"),
            ("&nbsp;A story about cats and dogs&nbsp;", "A story about cats and dogs"),
            ("one two three four - > five", "one two three four"),
        ])
    func cut(written: String, expected: String) throws {
        #expect(PageTitle.of(try Document(parsing: "<title>\(written)</title>")) == expected)
    }

    @Test("a heading that equals the title keeps it whole")
    func heading() throws {
        let page = "<title>Cats: a story about them all</title><h1>Cats: a story about them all</h1>"
        #expect(PageTitle.of(try Document(parsing: page)) == "Cats: a story about them all")
    }

    @Test("a very short title is replaced by the page's only headline")
    func headline() throws {
        let page = "<title>Site</title><h1>A story about all the cats</h1>"
        #expect(PageTitle.of(try Document(parsing: page)) == "A story about all the cats")
    }
}

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

    @Test("white space may separate the parts of a name but not its letters", arguments: ["ti tle", "og:ti tle", "d c:title", "xtitle"])
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
            #expect(document.elements([.title], below: document.root).map(document.textContent) == ["a\(characters)!"], "&\(name)")
        }
    }

    @Test(
        "only schema.org articles are read",
        arguments: [
            (#"{"@context":"https://schema.org/","@type":"BlogPosting","name":"T"}"#, true),
            (#"{"@context":{"@vocab":"http://schema.org"},"@type":"Article","name":"T"}"#, true),
            (#"{"@context":"https://schema.org","@graph":[{"@type":"Person"},{"@type":"Article","name":"T"}]}"#, true),
            (#"[{"@type":"Person"},{"@context":"https://schema.org","@type":"Article","name":"T"}]"#, true),
            (#"{"@context":"https://schema.org","@type":"Product","name":"T"}"#, false),
            (#"{"@context":"https://other.org","@type":"Article","name":"T"}"#, false),
            (#"{"@context":"https://schema.org","@type":"Article","name":"T""#, false),
            (#"{"@context":"https://schema.org","@type":"Article","name":"T","x":01}"#, false),
            (#"{"@context":"https://schema.org","@type":null,"@graph":[{"@type":"Article","name":"T"}]}"#, true),
            (#"{"@context":"https://schema.org","@graph":[3,"s",{"@type":""},{"@type":"Article","name":"T"}]}"#, true),
            (#"{"@context":"https://schema.org","@graph":[{"@type":["A"]},{"@type":"Article","name":"T"}]}"#, false),
            (#"[null,{"@context":"https://schema.org","@type":"Article","name":"T"}]"#, false),
        ])
    func linked(json: String, counts: Bool) throws {
        let document = try Document(parsing: "<script type='application/ld+json'>\n<![CDATA[\(json)]]></script>")
        #expect((LinkedData.of(document).title == "T") == counts)
    }

    @Test("of name and headline the one that matches the title is used")
    func nameOrHeadline() throws {
        let page = """
            <title>The long story of all the cats | Site</title><script type="application/ld+json">{"@context":
            "https://schema.org","@type":"Article","name":"Site","headline":"The long story of all the cats"}</script>
            """
        #expect(LinkedData.of(try Document(parsing: page)).title == "The long story of all the cats")
    }
}

@Suite("Readability / one line")
struct OneLineTests {
    @Test("white space of any kind becomes one space and is removed at the ends", arguments: [" a\u{A0}\r\n\u{2003}b\t", "a b", "\u{B}a\u{85}b\u{3000}"])
    func spaces(text: String) { #expect(OneLine.of(text) == "a b") }

    @Test("an empty text gives nil", arguments: [nil, "", " \n\u{2003}"])
    func empty(text: String?) { #expect(OneLine.of(text) == nil && OneLine.of(text, most: 5) == nil) }

    @Test("the length is counted in scalars, and the text never ends in a space", arguments: [(1, "a"), (2, "a"), (3, "a b"), (4, "a b\u{301}"), (9, "a b\u{301}\u{301}")])
    func length(most: Int, line: String) { #expect(OneLine.of("a  b\u{301}\u{301} ", most: most)?.unicodeScalars.elementsEqual(line.unicodeScalars) == true) }
}
