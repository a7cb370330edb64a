import HTML
import Testing

@testable import Readability

@Suite("Readability / plain text of a page")
struct PageReaderTextTests {
    @Test("a page's text becomes an article of paragraphs without the page's markup")
    func text() throws {
        let page =
            "<title>T &amp; t</title><p onclick=x>One &lt;script>alert(1)&lt;/script></p><script>no()</script><div>two\nlines</div>"
        let reading = PageReader().readText(Array(page.utf8))
        let article = try #require(reading.article)
        #expect(reading.metadata.title == "T & t" && article.title == "T & t")
        #expect(article.textContent == "One <script>alert(1)</script>\ntwo lines")
        #expect(article.content == "<p>One &lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>two lines</p>")
        #expect(article.length == article.textContent.utf16.count && article.wordCount == 4)
    }

    @Test("a title of one huge grapheme cluster is cut")
    func endlessTitle() {
        let marks = String(repeating: "\u{301}", count: 1_000_000)
        let page = "<title>a\(marks)</title><p>Words."
        #expect(PageReader().readText(Array(page.utf8)).metadata.title?.unicodeScalars.count == 1_000)
    }

    @Test("one-letter lines are kept up to the limit of the text")
    func shortLines() throws {
        let page = Array(repeating: Array("x<br>".utf8), count: 300_000).joined()
        let article = try #require(PageReader().readText(Array(page)).article)
        // A line counts as eight bytes more than its length.
        #expect(article.wordCount == 2_000_000 / 9 + 1)
        #expect(article.content.utf8.count == article.wordCount * "<p>x</p>\n".utf8.count - 1)
    }

    @Test(
        "the sanitizer would not change the content",
        arguments: [
            "a & b < c > d \" ' &amp;amp; &lt;p&gt; &quot;", "&nbsp;a&nbsp;\u{A0}b", "a&#13;b&#13;&#10;c&#10;d",
            "a\0b<p>\0<p>&#0;c", "\u{FEFF}<p>\u{FEFF}a",
            "a&#12;b&#11;&#9;c\u{1}\u{7F}\u{85}\u{FFFE}&#x80;", "<xmp><b>&amp;</xmp><pre>\n\n a</pre>",
            "<title>&lt;p></title><table>a<tr>b<td>c",
        ])
    func safe(page: String) throws {
        let content = try #require(PageReader().readText(Array(page.utf8)).article).content
        #expect(try Sanitizer().sanitize(content) == content)
    }

    @Test("a page without text has no article")
    func nothing() {
        let reading = PageReader().readText(Array("<title>T</title><img><script>x</script>".utf8))
        #expect(reading.article == nil && reading.metadata.title == "T")
    }
}
