import Confinement
import Readability
import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / response")
struct ReaderResponseTests {
    private var metadata: PageMetadata {
        var metadata = PageMetadata()
        metadata.title = "Title"
        metadata.canonical = "http://a.test/"
        return metadata
    }

    private var article: StoredArticle {
        StoredArticle(
            title: "Title", byline: nil, content: "<p>x", textContent: "x", excerpt: "x", siteName: nil, lang: "en",
            dir: nil, publishedTime: nil, length: 1, wordCount: 1, readingTime: 1, publishedAt: nil)
    }

    @Test("a response is read again, with and without an article")
    func roundTrip() {
        for article in [article, nil] {
            let response = ReaderResponse.read(PageReading(metadata: metadata, article: article))
            #expect(ReaderResponse(response.message) == response)
        }
        #expect(ReaderResponse(ReaderResponse.overBudget.message) == .overBudget)
    }

    @Test("a message with another number of fields or invalid numbers is not a response")
    func invalid() {
        let fields = ReaderResponse.read(PageReading(metadata: metadata, article: article)).message.fields
        #expect(ReaderResponse(Message(Array(fields.dropLast()))) == nil)
        #expect(ReaderResponse(Message([nil])) == nil)
        var wrong = fields
        wrong[25] = Array("many".utf8)
        #expect(ReaderResponse(Message(wrong)) == nil)
        wrong = fields
        wrong[0] = Array("unknown".utf8)
        #expect(ReaderResponse(Message(wrong)) == nil)
    }
}
