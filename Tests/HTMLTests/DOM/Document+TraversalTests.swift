import HTML
import Testing

@Suite("HTML / traversal")
struct DocumentTraversalTests {
    private func page() throws -> Document {
        try Document(parsing: "<div id=a><p id=b>x<i id=c></i></p> <ul id=d><li id=e>y</ul></div><p id=f>")
    }

    private func ids(_ nodes: [NodeID], _ document: Document) -> [String] {
        nodes.compactMap { document.attribute($0, .id) }
    }

    @Test("elements are found in document order, below the scope only")
    func elements() throws {
        let document = try page()
        let body = try #require(document.body)
        #expect(ids(document.elements(below: body) { _ in true }, document) == ["a", "b", "c", "d", "e", "f"])
        #expect(ids(document.elements([.p, .li], below: body), document) == ["b", "e", "f"])
        let div = try #require(document.first([.div], below: body))
        #expect(ids(document.elements([.p, .div], below: div), document) == ["b"])
        #expect(document.count([.p], below: body) == 2 && !document.contains([.table], below: body))
    }

    @Test("siblings and children are elements, whatever text is between them")
    func siblings() throws {
        let document = try page()
        let div = try #require(document.first([.div], below: document.root))
        #expect(ids(document.childElements(div), document) == ["b", "d"])
        let list = try #require(document.first([.ul], below: div))
        #expect(document.previousElement(list) == document.firstChildElement(div))
        #expect(document.firstChildElement(div).flatMap(document.nextElement) == list)
        #expect(document.onlyChildElement(list) != nil && document.onlyChildElement(div) == nil)
    }

    @Test("ancestors start with the parent and end at the limit")
    func ancestors() throws {
        let document = try page()
        let item = try #require(document.first([.li], below: document.root))
        #expect(ids(document.ancestors(item), document) == ["d", "a"])
        #expect(ids(document.ancestors(item, limit: 1), document) == ["d"])
        let div = try #require(document.first([.div], below: document.root))
        #expect(document.isInside(item, div) && document.isInside(div, div) && !document.isInside(div, item))
    }
}
