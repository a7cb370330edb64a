import Testing

@testable import HTML

@Suite("HTML / tree construction")
struct TreeBuilderTests {
    static let files =
        ConformanceData.files("tree-construction", ".dat")
        + ConformanceData.files("tree-construction/scripted", ".dat").map { "scripted/" + $0 }

    @Test("every test of the standard's suite passes, except those listed with a reason", arguments: files)
    func conformance(file: String) throws {
        for (index, test) in TreeCase.all(in: try ConformanceData.text("tree-construction/\(file).dat")).enumerated() {
            if test.isScripted == true || file.hasPrefix("scripted/") { continue }
            let result = try test.result()
            let reason = Self.different["\(file) \(index)"]
            if reason == nil {
                #expect(result == test.expected, "\(file), case \(index): \(test.data)")
            } else {
                #expect(result != test.expected, "\(file), case \(index) passes: take it off the list")
            }
        }
    }

    /// Tests with a different result: the file and the test's index in it, and the reason.
    static let different: [String: String] = Dictionary(
        uniqueKeysWithValues: (44...47).map { ("webkit02 \($0)", selectedContent) })

    private static let selectedContent = """
        selectedcontent shows a copy of the chosen option, which browsers keep up to date as people choose; a reader \
        has no use for the same text twice
        """
}

@Suite("HTML / tree construction beyond the suite")
struct MoreTreesTests {
    private func tree(_ html: String) throws -> String {
        var test = TreeCase()
        test.data = html
        return try test.result()
    }

    @Test("white space after a column in a template stays")
    func columnText() throws {
        let html = try tree("<template><col>a b")
        #expect(html.hasSuffix("|         <col>\n|         \" \"\n|   <body>"))
    }

    @Test("a text assembled from many pieces has them in order, wherever they come from")
    func joinedTexts() throws {
        var document = try Document(
            parsing: "<p>a</x>b</x>c&amp;d</x>e<table>f<tr>g</x title='&amp;'>h<tr title='&amp;'>i</table>")
        #expect(document.textContent(document.root) == "abc&defghi")
        let paragraph = try #require(document.first([.p], below: document.root))
        let text = try #require(document.firstChild(paragraph))
        document.detach(text)
        #expect(document.textContent(text) == "abc&defghi" || document.textContent(text) == "abc&de")
    }

    @Test("a reopened element has its own attributes")
    func clonedAttributes() throws {
        var document = try Document(parsing: "<b class=x><p>1</b>2")
        let both = document.elements([.b], below: document.root)
        try #require(both.count == 2)
        document.set(both[0], .class, to: "y")
        #expect(document.attribute(both[1], .class) == "x")
    }

    @Test("attributes of repeated html and body tags are added to the first ones, each name once")
    func lateAttributes() throws {
        let document = try Document(
            parsing: "<html lang=a><body id=b><html lang=c dir=rtl><body id=d class=e><html dir=ltr>")
        #expect(
            document.html.map { document.allAttributes($0) } == [
                .init(name: "lang", value: "a"), .init(name: "dir", value: "rtl"),
            ])
        #expect(
            document.body.map { document.allAttributes($0) } == [
                .init(name: "id", value: "b"), .init(name: "class", value: "e"),
            ])
    }

    @Test("a table that starts on a nearly full stack loses no content of the page", arguments: 500..<515)
    func deepTable(depth: Int) throws {
        let document = try Document(
            parsing: String(repeating: "<div>", count: depth)
                + "<table><tr><td>one</td><td>two</td></tr></table><b>three</b> four"
                + String(repeating: "</div>", count: depth) + "<p>five</p>")
        let body = try #require(document.body)
        #expect(document.textContent(body) == "onetwothree fourfive")
        let paragraph = try #require(document.first([.p], below: body))
        #expect(document.textContent(paragraph) == "five")
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

    @Test("an element with thousands of attributes keeps the first ones")
    func attributeCount() throws {
        let document = try Document(parsing: "<p " + (0..<5_000).map { "a\($0) " }.joined() + ">x<p id=y>")
        let paragraphs = document.elements([.p], below: document.root)
        #expect(paragraphs.map { document.attributeCount($0) } == [512, 1])
    }

    @Test(
        "many elements that are nested, misnested or never closed are parsed, and their text stays",
        arguments: [
            "<div>", "<b><p>", "<a><div>", "<table>", "<table><td>", "<ul><li>", "<font>", "<form><select>", "<svg>",
            "<template>",
            "<marquee><b>", "<nobr>", "<math><annotation-xml>", "<ruby><rt>", "<p><button><div>",
            "<b><i><u><div>x</b></i></u>",
        ])
    func manyElements(piece: String) throws {
        let document = try Document(parsing: String(repeating: piece, count: 1_000) + "<plaintext>end")
        let body = try #require(document.body)
        #expect(document.textContent(body).hasSuffix("end") || piece == "<template>")
        var deepest = 0
        document.forEachNode(below: document.root) { deepest = max(deepest, document.ancestors($0).count) }
        #expect(deepest <= 2 * ParseBudget().depth)
    }
}
