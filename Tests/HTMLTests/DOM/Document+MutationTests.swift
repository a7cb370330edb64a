import HTML
import Testing

@Suite("HTML / mutation")
struct DocumentMutationTests {
    @Test("nodes are moved, inserted, removed, renamed and unwrapped, and their links stay consistent")
    func mutation() throws {
        let html = try body("<div id=a><p>1</p><p>2</p></div><ul><li>3</li></ul>") { document in
            guard let list = document.first([.ul], below: document.root), let item = document.firstChild(list),
                let div = document.first([.div], below: document.root), let first = document.firstChild(div)
            else { return }
            document.rename(item, to: .p)
            document.insert(item, before: first)
            document.append(first, to: div)
            document.detach(list)
            document.unwrap(first)
        }
        #expect(html == #"<div id="a"><p>3</p><p>2</p>1</div>"#)
    }

    @Test("a node can be replaced with its own descendant")
    func replaceWithDescendant() throws {
        let html = try body("<div><section><p>x</p></section></div>") { document in
            guard let div = document.first([.div], below: document.root), let p = document.first([.p], below: div)
            else { return }
            document.replace(div, with: p)
        }
        #expect(html == "<p>x</p>")
    }
}
