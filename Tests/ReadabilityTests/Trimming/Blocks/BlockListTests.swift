import HTML
import Testing

@testable import Readability

@Suite("Readability / block list")
struct BlockListTests {
    private func list(_ html: String) throws -> BlockList {
        let document = try Document(parsing: html)
        return BlockList(try #require(document.body), in: document)
    }

    @Test("blocks have the kind of their elements, in document order")
    func kinds() throws {
        let list = try list(
            "<h2>Title</h2><p>One.</p>bare text<ul><li>Item</ul><table><tr><td>Cell</table><pre>Code</pre><img src=x>")
        #expect(list.blocks.map(\.kind) == [.heading, .text, .text, .item, .cell, .code, .picture])
        #expect(list.blocks[3].place == .list && list.blocks[4].place.contains(.table))
        #expect(String(decoding: list.text(0), as: UTF8.self) == "title")
    }

    @Test("sums over rows count words, links and pictures")
    func sums() throws {
        let list = try list("<p>One two</p><p><a href=/x>three</a> four<img src=x></p><p>five</p>")
        #expect(list.words(0..<3) == 5 && list.words(1..<2) == 2)
        #expect(list.linkShare(1..<2) == 0.5 && list.linkShare(2..<3) == 0)
        #expect(list.pictures(0..<3) == 1 && list.pictures(2..<3) == 0)
    }

    @Test("links within the page do not count as links")
    func links() throws { #expect(try list("<p><a href='#n'>note</a></p>").blocks[0].linkShare == 0) }

    @Test("a box knows its blocks and its parent")
    func boxes() throws {
        let list = try list("<div><p>One</p><p>Two</p></div><p>Three</p>")
        let div = try #require(list.boxes.firstIndex { $0.tag == .div })
        #expect(list.boxes[div].blocks == 0..<2)
        #expect(list.boxes[list.blocks[1].box].parent == div)
    }

    @Test("blank elements are not blocks")
    func blank() throws { #expect(try list("<p> </p><div>\u{A0}</div>").blocks.isEmpty) }
}
