import HTML
import Testing

@testable import Readability

/// A sentence of more than 100 characters, with commas.
let sentence =
    "Cats sleep most of the day, eat what they like, and go where they want, which is more than most of us can say. "
let paragraph = "<p>" + String(repeating: sentence, count: 3) + "</p>"

func article(_ body: String, head: String = "", mode: Mode = .compat) throws -> Article? {
    let page = try Document(parsing: "<!DOCTYPE html><html><head>\(head)</head><body>\(body)</body></html>")
    return Extraction(mode: mode).article(in: page, url: "http://host.example/dir/page.html")
}

@Suite("Readability / rules")
struct RulesTests {
    private let text = String(repeating: paragraph, count: 4)

    private func content(_ inside: String) throws -> String {
        try #require(try article("<div class=article>\(text)\(inside)\(text)</div>")).content
    }

    @Test("a page without text has no article")
    func empty() throws {
        #expect(try article("") == nil)
        #expect(try article("<p></p><img src=x.png>") == nil)
        #expect(try article("<p>Short.</p>")?.textContent == "Short.")
    }

    @Test(
        "hidden elements are removed",
        arguments: [
            "<p hidden>GONE</p>", "<p style='color:red; DISPLAY : none !important'>GONE</p>",
            "<p style='visibility:hidden'>GONE</p>",
            "<p aria-hidden=true>GONE</p>", "<div role=dialog aria-modal=true>GONE</div>",
        ])
    func hidden(html: String) throws { #expect(!(try content(html)).contains("GONE")) }

    @Test("a formula's fallback image, hidden from screen readers only, stays")
    func fallbackImage() throws {
        #expect(try content("<p><img class=fallback-image aria-hidden=true src=f.png>STAYS</p>").contains("f.png"))
    }

    @Test(
        "unlikely elements are removed unless their class also names content",
        arguments: [
            ("<div class=sidebar>\(sentence)GONE</div>", false), ("<div id=comments>\(sentence)GONE</div>", false),
            ("<div role=navigation>\(sentence)GONE</div>", false),
            ("<div class='comment-article-body'>\(sentence)</div>GONE", true),
        ])
    func unlikely(html: String, stays: Bool) throws { #expect(try content(html).contains("GONE") == stays) }

    @Test("the byline is extracted and removed; a marked name within it is used")
    func byline() throws {
        let found = try article("<div><p class=byline>By <span itemprop=name>A. Author</span></p>\(text)</div>")
        #expect(found?.byline == "A. Author")
        #expect(found?.content.contains("A. Author") == false)
    }

    @Test("with a byline in the metadata no byline is removed")
    func bylineInMetadata() throws {
        let found = try article("<div><p class=byline>By me</p>\(text)</div>", head: "<meta name=author content=M>")
        #expect(found?.byline == "M")
        #expect(found?.content.contains("By me") == true)
    }

    @Test("the first headline that repeats the title is removed")
    func headline() throws {
        let title = "The story of all cats"
        let found = try article("<div><h1>\(title)</h1>\(text)<h2>\(title)</h2></div>", head: "<title>\(title)</title>")
        #expect(found?.content.contains("<h1>") == false)
        #expect(found?.content.contains("<h2>\(title)</h2>") == true)
    }

    @Test("two line breaks separate paragraphs, one does not")
    func breaks() throws {
        let found = try article("<div>\(sentence)<br>\(sentence)<br> <br>\(sentence)\(sentence)\(sentence)</div>")
        #expect(found?.content.components(of: "<p>") == 2)
        #expect(found?.content.components(of: "<br>") == 1)
    }

    @Test(
        "lazy images get their source",
        arguments: [
            ("<img data-src='a.jpg'>", "src=\"http://host.example/dir/a.jpg\""),
            ("<img class=lazyload src=x.gif data-srcset='a.jpg 1x'>", "srcset=\"http://host.example/dir/a.jpg 1x\""),
            (
                "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACH5' data-original='a.webp'>",
                "src=\"http://host.example/dir/a.webp\""
            ),
            ("<noscript><img src=real.png></noscript>", ""),
            ("<img src=small.gif><noscript><img src=real.png></noscript>", "src=\"http://host.example/dir/real.png\""),
        ])
    func lazyImages(html: String, expected: String) throws {
        let content = try content("<p>\(sentence)\(html)</p>")
        #expect(expected.isEmpty ? !content.contains("<img") : content.contains(expected))
    }

    @Test("videos of known players stay, other embeds are removed")
    func embeds() throws {
        let content = try content(
            "<iframe src='https://www.youtube.com/embed/x'></iframe><iframe src='https://ads.example/'></iframe>")
        #expect(content.contains("youtube.com"))
        #expect(!content.contains("ads.example"))
    }

    @Test(
        "boxes of links, forms and advertisements are removed; data tables and galleries stay",
        arguments: [
            ("<div><p><a href=a>Link one</a></p><p><a href=b>Link two</a></p></div>", "Link one", false),
            ("<form><label>GONE</label><input></form>", "GONE", false),
            ("<div><p>Advertisement</p><p> </p></div>", "Advertisement", false),
            ("<div><p>Loading...</p><p> </p></div>", "Loading", false),
            ("<table><tr><th>H</th></tr><tr><td>STAYS</td></tr></table>", "STAYS", true),
            ("<ul><li><img src=a.png></li><li><img src=b.png></li></ul>", "a.png", true),
            ("<aside>\(sentence)GONE</aside>", "GONE", false),
            ("<div class='social-share'>GONE</div>", "GONE", false),
        ])
    func boxes(html: String, word: String, stays: Bool) throws { #expect(try content(html).contains(word) == stays) }

    @Test("a table of one cell is replaced by its content")
    func singleCell() throws {
        let content = try content("<table><tr><td>\(sentence)<b>in it</b></td></tr></table>")
        #expect(!content.contains("<table"))
        #expect(content.contains("<p>\(sentence)<b>in it</b></p>"))
    }

    @Test("first-level headings become second-level, styles and classes are removed, javascript: links keep their text")
    func polish() throws {
        let content = try content(
            "<h1 class=x>H</h1><p style=a align=b>\(sentence)<a href='javascript:x()'>js</a> <a href=#top>top</a></p>")
        #expect(content.contains("<h2>H</h2>"))
        #expect(content.contains("<p>\(sentence)js <a href=\"#top\">top</a></p>"))
    }

    @Test("a base element changes relative URLs, including links within the page")
    func base() throws {
        let found = try article(
            "<div>\(text)<p>\(sentence)<a href=#a>l</a> <a href=x>m</a></p></div>", head: "<base href='/other/'>")
        #expect(found?.content.contains("http://host.example/other/#a") == true)
        #expect(found?.content.contains("http://host.example/other/x") == true)
    }

    @Test("direction comes from the article's ancestors, language from the document")
    func direction() throws {
        let page = try Document(parsing: "<html lang=he><body dir=rtl><div>\(text)</div></body></html>")
        let found = Extraction(mode: .compat).article(in: page, url: "http://h/")
        #expect(found?.dir == "rtl")
        #expect(found?.lang == "he")
        // Mode best returns the language of the text.
        #expect(Extraction().article(in: page, url: "http://h/")?.lang == "en")
    }

    @Test("captions are part of the article's text in mode compat only")
    func captions() throws {
        let figure = "<div>\(text)<figure><img src=a.png><figcaption>CAPTION</figcaption></figure></div>"
        #expect(try article(figure, mode: .best)?.textContent.contains("CAPTION") == false)
        #expect(try article(figure, mode: .best)?.content.contains("CAPTION") == true)
        #expect(try article(figure, mode: .compat)?.textContent.contains("CAPTION") == true)
    }

    @Test("a page with paragraphs of some length outside lists is probably readable")
    func readerable() throws {
        #expect(Readerable.isProbably(try Document(parsing: text)))
        #expect(!Readerable.isProbably(try Document(parsing: "<p>short</p>")))
        #expect(!Readerable.isProbably(try Document(parsing: "<ul><li>\(text)</ul>")))
        #expect(
            Readerable.isProbably(try Document(parsing: "<div>\(String(repeating: sentence + "<br>", count: 8))</div>"))
        )
        #expect(!Readerable.isProbably(try Document(parsing: text.replacing("<p>", with: "<p hidden>"))))
        let invisible = text.replacing("<p>", with: "<p style='visibility:hidden'>")
        #expect(Readerable.isProbably(try Document(parsing: invisible)))
    }
}

extension String {
    /// The number of occurrences of a part.
    func components(of part: String) -> Int { indices.filter { self[$0...].hasPrefix(part) }.count }
}

@Suite("Readability / parts")
struct PartsTests {
    @Test(
        "share is found as a separate word",
        arguments: [
            ("share", true), ("my-share box", true), ("post_share_x", true), ("sharedaddy", true), ("shared", false),
            ("timeshare", false), ("SHARE", true), ("shares share", true),
        ])
    func share(text: String, expected: Bool) { #expect(ShareWord.occurs(in: Array(text.utf8)) == expected) }

    @Test(
        "a class is weighed by its words",
        arguments: [
            ("article", 25), ("sidebar", -25), ("hid", -25), ("x hid y", -25), ("hide", 0), ("article sidebar", 0),
            ("", 0),
        ])
    func weight(name: String, expected: Int) throws {
        var document = Document()
        let node = document.makeElement(.div)
        document.set(node, .class, to: name)
        #expect(ClassWeight.of(node, in: document) == expected)
    }

    @Test("one walk counts the same as separate walks")
    func oneWalk() throws {
        let document = try Document(
            parsing: """
                <div> a <b> b</b><a href=#x> inner </a><h2>He <a href=y>ad</a> </h2><ul> <li>one <li> two<ul><li>three</ul></ul> end </div>
                """)
        let box = try #require(document.first([.div], below: document.root))
        let statistics = ElementStatistics(of: box, in: document)
        let links = document.elements([.a], below: box).map { document.measure($0).length }
        #expect(statistics.text == document.measure(box))
        #expect(statistics.linkedLength == Double(links[0]) * 0.3 + Double(links[1]))
        #expect(statistics.headingLength == document.measure(try #require(document.first([.h2], below: box))).length)
        #expect(
            statistics.listLength == document.elements([.ul], below: box).reduce(0) { $0 + document.measure($1).length })
        #expect(statistics.items == 3)
    }

    @Test(
        "source sets are read with commas inside addresses",
        arguments: [
            ("a.jpg 1x, b.jpg 2x", "[a.jpg] 1x, [b.jpg] 2x"), ("a.jpg", "[a.jpg]"), ("a,b.jpg 480w", "[a,b.jpg] 480w"),
            ("a.jpg, b.jpg", "[a.jpg], [b.jpg]"), ("a.jpg 1.5x,b.jpg", "[a.jpg] 1.5x,[b.jpg]"), ("", ""),
        ])
    func sourceSet(written: String, expected: String) {
        #expect(SourceSet.mapAddresses(in: written) { "[\($0)]" } == expected)
    }

    @Test(
        "words are runs between spaces; each Chinese and Japanese character counts",
        arguments: [
            ("one two-three  don't", 3), ("日本語のテスト", 7), ("Swift言語 ok", 4), ("안녕하세요 세계", 2), ("— … !", 0), ("", 0),
            ("été 42", 2),
        ])
    func words(text: String, expected: Int) { #expect(WordCount.of(text) == expected) }

    @Test(
        "large and negative rowspans are counted",
        arguments: [
            ("3", true), ("2", false), ("-2", false), ("+9px", true), ("x", false), ("999999999999999999999", true),
        ])
    func spans(rowspan: String, isData: Bool) throws {
        let row = "<tr><td>a</td><td>b</td></tr>"
        let page = try Document(
            parsing: "<table>\(row)\(row)<tr rowspan='\(rowspan)'><td>a</td><td>b</td></tr>\(row)</table>")
        #expect(!DataTables.find(below: page.root, in: page).isEmpty == isData)
    }

    @Test(
        "a text's trimmed length is counted up to the limit",
        arguments: [("  a b \u{A0}", 3), ("", 0), (" \n", 0), ("é𝄞 x", 5), ("0123456789abcdef", 10)])
    func trimmedLength(text: String, length: Int) throws {
        let page = try Document(parsing: "<p>\(text)</p>")
        #expect(page.trimmedLength(page.root, countingTo: 10) == length)
    }

    @Test(
        "similarity is the share of common words",
        arguments: [
            ("a story of cats", "A Story of Cats!", 1.0), ("one two", "three four", 0.0), ("", "x", 0.0),
            ("日本", "日本", 0.0), ("i stanbul", "İSTANBUL", 1.0), ("k", "\u{212A}", 1.0),
        ])
    func similarity(one: String, other: String, expected: Double) {
        #expect(TextSimilarity(to: other).of(one) == expected)
    }
}
