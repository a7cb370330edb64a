import HTML
import Readability
import Testing

@Suite("Readability / page reader")
struct PageReaderTests {
    @Test("a page without an article has metadata")
    func metadataAlone() throws {
        let reading = try PageReader().read(
            """
            <html lang=de><head><title>Only a title, but a long one</title><meta name=description content=" D ">
            <link rel="canonical" href="/c?x=1"><meta property="og:url" content="https://h.example/o">
            <meta property="og:image" content="i.png"><meta property="og:site_name" content="S"></head><body></body></html>
            """, url: "https://h.example/a/b")
        #expect(reading.article == nil)
        #expect(reading.metadata.title == "Only a title, but a long one")
        #expect(reading.metadata.description == "D")
        #expect(reading.metadata.siteName == "S")
        #expect(reading.metadata.lang == "de")
        #expect(reading.metadata.canonical == "https://h.example/c?x=1")
        #expect(reading.metadata.openGraphURL == "https://h.example/o")
        #expect(reading.metadata.image == "https://h.example/a/i.png")
    }

    @Test("URLs that are not http or https are ignored")
    func addresses() throws {
        let page = "<link rel=canonical href='javascript:x'><meta property=og:image content='data:image/png;base64,AA'>"
        let metadata = try PageReader().read(page, url: "https://h.example/").metadata
        #expect(metadata.canonical == nil)
        #expect(metadata.image == nil)
    }

    @Test("the stored article is sanitized, has absolute URLs and is counted")
    func article() throws {
        let text = String(
            repeating: "<p>Cats sleep most of the day, eat what they like, and go where they want to go.</p>", count: 8)
        let page =
            "<body dir=LTR><div>\(text)<p onclick=x()>Read <a href='x'>this</a> <img src=y.png onerror=z()> too, please do.</p></div>"
        let stored = try #require(try PageReader().read(page, url: "https://h.example/a/b").article)
        #expect(stored.content.contains(#"<a href="https://h.example/a/x" rel="noopener noreferrer">this</a>"#))
        #expect(stored.content.contains(#"<img src="https://h.example/a/y.png">"#))
        #expect(!stored.content.contains("onclick"))
        #expect(stored.wordCount == 8 * 17 + 5)
        #expect(stored.length == stored.textContent.utf16.count)
        #expect(stored.dir == "ltr")
        #expect(try Sanitizer().sanitize(stored.content) == stored.content)
    }

    @Test("the same page gives the same reading")
    func pure() throws {
        let page =
            "<title>T</title>"
            + String(repeating: "<div><p>Some words, and more words, of no meaning at all.</p></div>", count: 30)
        #expect(try PageReader().read(page, url: "https://h/") == PageReader().read(page, url: "https://h/"))
    }

    @Test("absolute URLs and character references may make the article larger than the page budget")
    func longAddresses() throws {
        var budget = ParseBudget()
        budget.sourceBytes = 20_000
        let page = String(
            repeating: "<p>Words, more words < and <a href=x>a link</a> > in the midst of them.", count: 250)
        let url = "https://h.example/" + String(repeating: "a", count: 100) + "/b"
        let article = try #require(try PageReader(budget: budget).read(page, url: url).article)
        #expect(article.content.utf8.count > 2 * budget.sourceBytes && article.wordCount == 250 * 11)
    }

    @Test("an excerpt is cut at its limit, however long the first paragraph is")
    func excerpt() throws {
        let words = String(repeating: "Words of a text,\n and no end. ", count: 10_000)
        let article = try #require(try PageReader().read("<p>\(words)</p>", url: "https://h.example/").article)
        #expect(
            article.excerpt == String(words.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(5_000)))
        #expect(article.wordCount == 70_000)
    }

    @Test("a page beyond the budget is refused with a typed error")
    func budget() {
        var budget = ParseBudget()
        budget.sourceBytes = 3
        let reader = PageReader(budget: budget)
        #expect(throws: ParseError.tooLarge(bytes: 4, limit: 3)) { try reader.read("<p>x", url: "https://h/") }
    }
}
