import HTML
import Testing

@testable import Readability

@Suite("Readability / meta elements")
struct MetaTableTests {
    private func table(_ page: String) throws -> MetaTable {
        let document = try Document(parsing: page)
        var table = MetaTable()
        for meta in document.elements([.meta], below: document.root) { table.add(meta, in: document) }
        return table
    }

    @Test("the best name wins, and document order decides among equals")
    func order() throws {
        let metas = try table(
            """
            <meta name=twitter:description content=c><meta name=description content=b><meta property=og:description content=a>
            <meta property=og:description content=d>
            """)
        #expect(metas[.description] == "a")
        #expect(metas.all(.description) == ["a", "d", "b", "c"])
    }

    @Test(
        "names are compared in any case, with dots and colons alike, and in every naming attribute",
        arguments: [
            "<meta name='DC.Creator' content=x>", "<meta property='dc:creator' content=x>",
            "<meta itemprop=AUTHOR content=x>",
            "<meta name='unknown author' content=' x '>",
        ])
    func names(page: String) throws { #expect(try table(page)[.author] == "x") }

    @Test(
        "elements without a known name or a content are ignored",
        arguments: [
            "<meta name=author>", "<meta name=author content=' '>", "<meta name=co-author content=x>",
            "<meta content=x>",
        ])
    func ignored(page: String) throws { #expect(try table(page)[.author] == nil) }
}
