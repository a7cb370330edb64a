import HTML
import Testing

/// Returns the HTML of a page's body after a change.
func body(_ html: String, _ change: (inout Document) -> Void = { _ in }) throws -> String {
    var document = try Document(parsing: html)
    change(&document)
    return Serializer.innerHTML(document, of: try #require(document.body))
}

@Suite("HTML / document")
struct DocumentTests {
    @Test("comments are dropped, and the text around them becomes one node")
    func comments() throws {
        let document = try Document(parsing: "<p>one <!-- no -->two</p>")
        let paragraph = try #require(document.first([.p], below: document.root))
        let text = try #require(document.firstChild(paragraph))
        #expect(document.nextSibling(text) == nil)
        #expect(document.textContent(paragraph) == "one two")
    }

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

    @Test("attributes are read, set, added and removed in place, in source order")
    func attributes() throws {
        var document = try Document(parsing: "<img SRC=a alt='' data-x=1><img src=b>")
        let images = document.elements([.img], below: document.root)
        document.set(images[0], .width, to: "5")
        document.set(images[0], .src, to: "c")
        document.remove(images[0], named: "data-x")
        #expect(
            document.allAttributes(images[0]) == [
                .init(name: "src", value: "c"), .init(name: "alt", value: ""), .init(name: "width", value: "5"),
            ])
        #expect(document.attribute(images[1], .src) == "b")
        #expect(document.attribute(images[1], .alt) == nil)
        #expect(document.attribute(images[0], .src, is: "c"))
    }

    @Test("a copy is a snapshot")
    func snapshot() throws {
        let before = try Document(parsing: "<p>x</p>")
        var after = before
        after.detach(try #require(after.first([.p], below: after.root)))
        #expect(before.first([.p], below: before.root) != nil)
        #expect(after.first([.p], below: after.root) == nil)
    }

    @Test("SVG elements keep their own names and are not HTML elements, but selectors find them")
    func foreign() throws {
        let document = try Document(
            parsing: "<svg viewBox='0 0 1 1'><a xlink:href=x><foreignObject></foreignObject></a></svg>")
        let link = try #require(document.first([.a], below: document.root))
        #expect(document.tag(link) == .foreign)
        #expect(document.attribute(link, named: "xlink:href") == "x")
        #expect(document.firstChild(link).map { document.name(of: $0) } == "foreignObject")
    }

    @Test("the contents of a template are not part of the page, but are serialized")
    func template() throws {
        let document = try Document(parsing: "<template><p>hidden</p></template><p>seen</p>")
        #expect(document.textContent(document.root) == "seen")
        #expect(
            try body("<div><template><p>a</p><template>b</template></template></div>c")
                == "<div><template><p>a</p><template>b</template></template></div>c")
    }

    @Test("unknown elements, unusual names and names that resemble internal markers keep their names")
    func names() throws {
        #expect(
            try body("<none>x</none><my-thing x:y=1>y</my-thing>") == #"<none>x</none><my-thing x:y="1">y</my-thing>"#)
    }
}
