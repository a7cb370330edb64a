import Testing

@testable import Feeds

@Suite("Feeds / catalogs")
struct OPDSCatalogTests {
    private func catalog(_ content: OPDSCatalog.Content, next: String? = nil) -> OPDSCatalog {
        OPDSCatalog(
            id: "urn:a", title: "A",
            addresses: .init(this: "this", start: "start", up: "up", next: next, search: "search"), content: content)
    }

    private func text(_ catalog: OPDSCatalog) -> String { String(decoding: catalog.bytes, as: UTF8.self) }

    @Test("a page of navigation links to the pages below it")
    func navigation() {
        let section = OPDSSection(
            id: "urn:b", title: "Tea & cake", summary: "Two", address: "b", kind: .acquisition, count: 2)
        let catalog = catalog(.sections([section]))
        #expect(catalog.contentType == "application/atom+xml;profile=opds-catalog;kind=navigation;charset=utf-8")
        let text = text(catalog)
        #expect(text.contains("<title>Tea &amp; cake</title>"))
        #expect(
            text.contains(
                "<link rel=\"subsection\" type=\"application/atom+xml;profile=opds-catalog;kind=acquisition\" "
                    + "href=\"b\" thr:count=\"2\"/>"))
        #expect(text.contains("<link rel=\"search\" type=\"application/opensearchdescription+xml\" href=\"search\"/>"))
    }

    @Test("a page of books has their files, covers and metadata")
    func acquisition() {
        var entry = FeedEntry.example
        entry.language = "de"
        entry.tags = ["x"]
        let publication = Publication(
            entry, book: "b.epub", cover: "b.jpg", publisher: "A site", issued: "2020-01-01T00:00:00Z")
        let text = text(catalog(.publications([publication]), next: "n"))
        for part in [
            "rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"b.epub\"",
            "rel=\"http://opds-spec.org/image/thumbnail\" type=\"image/jpeg\" href=\"b.jpg\"",
            "<dc:language>de</dc:language>", "<dc:publisher>A site</dc:publisher>", "<dc:subject>x</dc:subject>",
            "<dc:issued>2020-01-01T00:00:00Z</dc:issued>", "<link rel=\"next\"",
            "<updated>2026-02-01T12:00:00Z</updated>",
        ] { #expect(text.contains(part)) }
    }

    @Test("the description of a search keeps the place of the terms")
    func search() {
        let description = SearchDescription(
            "Search & find", icon: "i", address: nil, results: ("text/html", "https://l.example/?q={searchTerms}&a=b"))
        let text = String(decoding: description.bytes, as: UTF8.self)
        #expect(text.contains("<Url type=\"text/html\" template=\"https://l.example/?q={searchTerms}&amp;a=b\"/>"))
    }
}
