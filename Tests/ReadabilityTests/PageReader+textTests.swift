import HTML
import Testing

@testable import Readability

@Suite("Readability / plain text of a page")
struct PageReaderTextTests {
    @Test("a page's text becomes an article of paragraphs, and no mark-up of it survives")
    func text() throws {
        let page = "<title>T &amp; t</title><p onclick=x>One &lt;script>alert(1)&lt;/script></p><script>no()</script><div>two\nlines</div>"
        let reading = PageReader().readText(Array(page.utf8))
        let article = try #require(reading.article)
        #expect(reading.metadata.title == "T & t" && article.title == "T & t")
        #expect(article.textContent == "One <script>alert(1)</script>\ntwo lines")
        #expect(article.content == "<p>One &lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>two lines</p>")
        #expect(article.length == article.textContent.utf16.count && article.wordCount == 4)
    }

    @Test("a page without text has no article")
    func nothing() {
        let reading = PageReader().readText(Array("<title>T</title><img><script>x</script>".utf8))
        #expect(reading.article == nil && reading.metadata.title == "T")
    }
}
