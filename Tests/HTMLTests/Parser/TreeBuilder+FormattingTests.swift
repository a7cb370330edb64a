import HTML
import Testing

@Suite("HTML / formatting elements")
struct TreeBuilderFormattingTests {
    @Test("a reopened element has its own attributes")
    func clonedAttributes() throws {
        var document = try Document(parsing: "<b class=x><p>1</b>2")
        let both = document.elements([.b], below: document.root)
        try #require(both.count == 2)
        document.set(both[0], .class, to: "y")
        #expect(document.attribute(both[1], .class) == "x")
    }

    @Test("formatting elements with many attributes are compared quickly")
    func manyAttributes() throws {
        let names = (0..<400).map { "a\($0)=x" }
        let page =
            "<p>"
            + (0..<300).map { index in
                "<b \((index % 2 == 0 ? names : names.reversed()).joined(separator: " ")) z=\(index)>x"
            }.joined()
        let document = try Document(parsing: page)
        #expect(document.count([.b], below: document.root) == 300)
        let same = try Document(parsing: "<b a=1 b=2><b b=2 a=1><b a=1 b=2><b b=2 a=1></p><p>x")
        #expect(same.elements([.b], below: try #require(same.elements([.p], below: same.root).last)).count == 0)
    }
}
