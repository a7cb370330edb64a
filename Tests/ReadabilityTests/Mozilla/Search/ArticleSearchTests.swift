import HTML
import Testing

@testable import Readability

/// A page with a short article is searched again, each time with one group of rules less.
@Suite("Readability / article search")
struct ArticleSearchTests {
    @Test("a later attempt parses the body again: a nested paragraph becomes a sibling")
    func parsedAgain() throws {
        let page = "<p>One <span>two<br><br>three</span></p><div class=sidebar>What the first attempt leaves out</div>"
        let content = try #require(try article(page)).content
        #expect(content.contains("<p>One <span>two</span></p>"))
        #expect(content.contains("<p>three</p>"))
    }

    @Test("the body is a candidate only in the first attempt")
    func bodyOnce() throws {
        let link = "<p><a href=/r>Read more about it here and now</a></p>"
        let page = "<article>\(link)</article> text <article>\(link)</article><h4>H</h4>"
        let content = try #require(try article(page)).content
        #expect(content.components(of: "<article>") == 1)
        #expect(!content.contains("text"))
    }

    @Test("a body that the first attempt removed is not prepared by later ones")
    func removedBody() throws {
        let body = "<body role=navigation><div class=byline>By me</div><p hidden>\(sentence)</p></body>"
        let page = try Document(parsing: "<html lang=en>\(body)</html>")
        let found = try #require(Extraction(mode: .compat).article(in: page, url: "http://h/"))
        #expect(found.byline == nil)
        #expect(found.lang == "en")
        #expect(found.content.contains("By me") && found.content.contains("hidden"))
    }

    @Test("a byline element without a name is removed, and the next one is the byline")
    func emptyName() throws {
        let bylines = "<p class=author>By <i itemprop=name></i></p><p class=author>A. Author</p>"
        let found = try article(bylines + paragraph + paragraph)
        #expect(found?.byline == "A. Author")
        #expect(found?.content.contains("By") == false)
    }

    @Test("a base element that the search removed does not change URLs")
    func removedBase() throws {
        let base = "<base hidden href='/other/'>"
        let short = "<p>\(sentence)<a href=x>m</a></p>"
        let long = "<div>\(paragraph)\(paragraph)\(short)</div>"
        #expect(try article(short, head: base)?.content.contains("/dir/x") == true)
        #expect(try article(long, head: base)?.content.contains("/dir/x") == true)
    }

    @Test("a list joined as a sibling stays a list")
    func joinedList() throws {
        let item = "<li><p>\(sentence)\(sentence)</p></li>"
        let list = "<ol class=story>" + String(repeating: item, count: 6) + "</ol>"
        let text = String(repeating: paragraph, count: 6)
        let content = try #require(try article("<section><div class=story>\(text)</div>\(list)</section>")).content
        #expect(content.contains("<ol>"))
    }
}
