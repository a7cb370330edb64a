import Testing

@testable import Export

@Suite("Export / index page")
struct IndexPageTests {
    @Test("a link with an article leads to its page, one without is plain text")
    func article() {
        let with = IndexPage.entry(title: "Tea", url: "http://a/", day: "2026-01-02", tags: nil, article: "1 Tea.html")
        #expect(with.contains(#"<a href="articles/1%20Tea.html">Tea</a>"#))
        let without = IndexPage.entry(title: "Tea", url: "http://a/", day: nil, tags: nil, article: nil)
        #expect(!without.contains("articles/") && without.contains("Tea"))
    }

    @Test("a link without a title is shown by its URL", arguments: [nil, ""])
    func untitled(title: String?) {
        let entry = IndexPage.entry(title: title, url: "http://a/b", day: nil, tags: nil, article: nil)
        #expect(entry.hasPrefix("<li dir=\"auto\">http://a/b<br>"))
    }

    @Test("titles and tags cannot add elements")
    func escaped() {
        let entry = IndexPage.entry(title: "<b>", url: "http://a/", day: "d", tags: "<i>", article: nil)
        #expect(entry.contains("&lt;b&gt;") && entry.contains("&lt;i&gt;") && !entry.contains("<i>"))
    }
}
