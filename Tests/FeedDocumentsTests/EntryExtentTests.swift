import Testing

@testable import FeedDocuments

@Suite("FeedDocuments / extent of entries")
struct EntryExtentTests {
    private func extent(_ content: String?) -> FeedDocument.Entry.Extent {
        var entry = FeedDocument.Entry(id: "1", url: "https://a.test/")
        entry.content = content
        return entry.extent
    }

    private let paragraph =
        "<p class='\(String(repeating: "x", count: 500))'>" + String(repeating: "word ", count: 110) + "</p>"

    @Test("only what is long enough is kept, and only a long text that does not go on elsewhere is whole")
    func extents() {
        #expect(extent(nil) == .teaser && extent("<p>Three words here.</p>") == .teaser)
        #expect(extent(paragraph) == .part)
        let long = String(repeating: paragraph, count: 6)
        #expect(extent(long) == .whole)
        #expect(extent(long + "<p><a href='/1'>Continue reading</a></p>") == .part)
        #expect(extent(long + "<p>And so […]</p>") == .part)
    }
}
