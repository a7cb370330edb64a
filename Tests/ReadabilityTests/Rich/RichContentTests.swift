import HTML
import Testing

@testable import Readability

@Suite("Readability / tables, headings, notes")
struct RichContentTests {
    @Test("data tables keep their cells and headings")
    func dataTable() throws {
        let table =
            "<table><caption>Cats</caption><thead><tr><th scope=col>Name</th><th colspan=2>Age</th></tr></thead><tbody><tr><td rowspan=2>Tom</td><td>3</td></tr></tbody></table>"
        let content = try RichPage(table).content
        #expect(
            content.contains(#"<th scope="col">Name</th><th colspan="2">Age</th>"#)
                && content.contains(#"<td rowspan="2">Tom</td>"#))
        #expect(content.contains("<caption>Cats</caption>"))
    }

    @Test(
        "layout tables are replaced with their content, in order",
        arguments: [
            "<table role=presentation><tr><td>ONE, \(sentence)</td><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td>ONE, \(sentence)</td></tr><tr><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td><table><tr><td>ONE, \(sentence)</td></tr></table></td><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td><p>ONE, \(sentence)</p></td><td><p>TWO, \(sentence)</p></td></tr></table>",
        ])
    func layoutTable(html: String) throws {
        let page = try RichPage(html)
        #expect(!page.content.contains("<table") && !page.content.contains("<td"), Comment(rawValue: page.content))
        let places = [page.text.ranges(of: "ONE").first, page.text.ranges(of: "TWO").first].compactMap {
            $0?.lowerBound
        }
        #expect(places.count == 2 && places == places.sorted())
    }

    @Test(
        "controls are removed from headings",
        arguments: [
            "Cats<a class=headerlink href=#cats>¶</a>", "<a href=#cats>#</a> Cats",
            "Cats<a href=#cats aria-label=Permalink><svg></svg></a>",
            "<span class=mw-headline id=cats>Cats</span><span class=mw-editsection>[<a href=/edit>edit source</a>]</span>",
            "Cats <button>Copy link</button>", "Cats <a class=anchor href=#cats>link</a>",
        ])
    func headings(inside: String) throws {
        let content = try RichPage("<h2>\(inside)</h2>\(paragraph)").content
        #expect(
            content.contains("Cats</h2>") || content.contains("Cats</span></h2>") || content.contains("Cats </h2>"),
            Comment(rawValue: content))
        #expect(!content.contains("¶") && !content.contains("edit source") && !content.contains("#</a>"))
    }

    @Test(
        "a heading in a box with its controls stays",
        arguments: [
            "<div class=mw-heading><h2>Cats</h2><span class=mw-editsection>[<a href=/edit>edit</a>]</span></div>",
            "<div><h2>Cats</h2><a class=anchor href=#cats><svg></svg></a></div>",
        ])
    func framedHeadings(html: String) throws {
        let content = try RichPage(html + paragraph).content
        #expect(content.contains("<h2>Cats</h2>") && !content.contains("edit"), Comment(rawValue: content))
    }

    @Test(
        "headings keep their text and their footnote marks",
        arguments: [
            "<a href=#cats>Cats</a>", "Cats<sup><a href=#n1>1</a></sup>", "<a class=anchor href=#cats>Cats</a>",
            "C<a href=/sharp>#</a> Cats",
        ])
    func headingWords(inside: String) throws {
        let content = try RichPage("<h2>\(inside)</h2>\(paragraph)").content
        #expect(content.contains("Cats") && content.contains("<a href"))
    }

    @Test("footnotes and their links stay, also outside the text")
    func notes() throws {
        let page = try RichPage(
            "<p id=r1>\(sentence)<sup><a href=#n1>1</a></sup></p><aside class=footnotes><ol><li id=n1>\(sentence)NOTE <a href=#r1>↩</a></li></ol></aside>"
        )
        #expect(page.text.contains("NOTE"))
        #expect(
            page.content.contains(##"href="#lct-n1""##) && page.content.contains(##"<li id="lct-n1">"##)
                && page.content.contains(##"href="#lct-r1""##))
    }

    @Test("collapsed details are opened")
    func details() throws {
        #expect(
            try RichPage("<details><summary>More</summary><p>\(sentence)</p></details>").content.contains(
                "<details open=\"\">"))
    }

    @Test("a page's own use of the mark attribute has no effect")
    func forged() throws {
        let page = try RichPage(
            "<figure data-lectern-rich=0></figure><figure data-lectern-rich=99999999999999999999></figure><p data-lectern-rich=x>\(sentence)</p>"
        )
        #expect(!page.content.contains("lectern"))
    }

    @Test("AMP components become the pictures and players they represent", arguments: ["amp", "⚡"])
    func amp(mark: String) throws {
        let inside = """
            <amp-img src=a.jpg srcset='a.jpg 640w, b.jpg 1280w' width=640 height=480 layout=responsive alt=Cat><amp-img placeholder src=tiny.jpg></amp-img><noscript><img src=a.jpg></noscript></amp-img>
            <amp-youtube data-videoid=abc width=480 height=270></amp-youtube><amp-iframe src='https://charts.example/embed/x' width=500 height=300><p placeholder>wait</p></amp-iframe>
            <amp-twitter data-tweetid=7><blockquote placeholder>So it goes.</blockquote></amp-twitter><amp-facebook data-href='https://www.facebook.com/me/posts/1?a=b&amp;c=d'></amp-facebook>
            <amp-iframe src='https://unknown.example/x'><amp-img placeholder src=chart.png width=600 height=400></amp-img></amp-iframe>
            <amp-video poster=p.jpg><source src=film.mp4></amp-video><amp-ad type=x src=//ads.example/x></amp-ad>
            """
        let html =
            "<html \(mark)><body><div class=article>\(paragraph)\(paragraph)\(inside)\(paragraph)</div></body></html>"
        let found = try #require(
            Extraction().article(in: Document(parsing: html), url: "http://host.example/dir/")?.content)
        #expect(found.components(of: "<img ") == 4)
        for address in [
            "/dir/b.jpg", "www.youtube.com/watch?v=abc", "charts.example/embed/x", "/dir/film.mp4", "/dir/p.jpg",
            "So it goes.", "/i/status/7", "facebook.com/me/posts/1?a=b", "/dir/chart.png",
        ] { #expect(found.contains(address), "\(address)") }
        for none in ["tiny.jpg", "wait", "ads.example", "<amp"] { #expect(!found.contains(none), "\(none)") }
    }
}
