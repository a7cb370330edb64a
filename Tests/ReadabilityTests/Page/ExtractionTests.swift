import HTML
import Testing

@testable import Readability

@Suite("Readability / extraction")
struct ExtractionTests {
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

    @Test(
        "a person who comments or is quoted is not the author",
        arguments: [
            "<div class=comments><div class='comment-author vcard'>Jane Doe</div></div>",
            "<ol class=commentlist><li><span class=author>Jane Doe</span></li></ol>",
            "<blockquote><p class=author>Jane Doe</p></blockquote>",
            "<div class=statement><p>“Fine.”</p><p class=statement-author>Jane Doe</p></div>",
        ])
    func othersAreNoAuthors(box: String) throws {
        let body = "<h1>Cats</h1><div class=text>\(String(repeating: paragraph, count: 4))</div>\(box)"
        #expect(try #require(try article(body, mode: .best)).byline == nil)
    }
}
