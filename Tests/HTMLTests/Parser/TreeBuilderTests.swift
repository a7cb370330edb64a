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
