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
