import HTML
import Testing

@Suite("HTML / parse budget")
struct ParseBudgetTests {
    @Test("a page over the size limit is rejected before parsing")
    func size() {
        var budget = ParseBudget()
        budget.sourceBytes = 10
        #expect(throws: ParseError.tooLarge(bytes: 11, limit: 10)) {
            try Document(parsing: "01234567890", budget: budget)
        }
    }

    @Test("the largest page with typical markup is within the budget")
    func usualMarkup() throws {
        let paragraph =
            "<p>Words of a usual length, with <a href=\"/x\">a link</a> and so on, about ninety of them.</p>\n"
        let page = String(repeating: paragraph, count: 20_000_000 / paragraph.utf8.count)
        #expect(try Document(parsing: page).nodeCount > 800_000)
    }

    @Test("elements nested too deeply become siblings and keep their text")
    func depth() throws {
        let document = try Document(parsing: String(repeating: "<div>", count: 3_000) + "deep")
        let deepest = try #require(document.elements([.div], below: document.root).last)
        #expect(document.ancestors(deepest).count <= 514)
        #expect(document.textContent(document.root) == "deep")
    }

    @Test("markup whose elements multiply throws an error instead of creating millions of nodes")
    func multiplying() {
        let page = (0..<20_000).map { "<b id=\($0)><p>" }.joined()
        #expect(throws: ParseError.overBudget) { try Document(parsing: page) }
    }

    @Test("a large page whose elements are all deeply nested is rejected; a small one is not")
    func deepPages() throws {
        let nest = String(repeating: "<div>", count: 500)
        #expect(try Document(parsing: nest + String(repeating: "<i></i>", count: 5_000)).nodeCount > 5_000)
        #expect(throws: ParseError.overBudget) {
            try Document(parsing: nest + String(repeating: "<i></i>", count: 20_000))
        }
    }

    @Test("a fragment over budget leaves the document unchanged, and only its own budget counts")
    func fragmentOverBudget() throws {
        var document = try Document(parsing: "<p class=x>kept</p>")
        let html = Serializer.innerHTML(document, of: document.root)
        #expect(throws: ParseError.overBudget) {
            _ = try document.parseFragment(Array(String(repeating: "<br>", count: 600_000).utf8))
        }
        #expect(Serializer.innerHTML(document, of: document.root) == html)
        for _ in 0..<3 { _ = try document.parseFragment(Array(String(repeating: "<br>", count: 200_000).utf8)) }
        #expect(Serializer.innerHTML(document, of: document.root) == html)
    }

    @Test("a page with more nodes than its budget allows is rejected")
    func nodes() {
        var budget = ParseBudget()
        budget.nodes = 1_000
        #expect(throws: ParseError.overBudget) {
            try Document(parsing: String(repeating: "<p>a", count: 501), budget: budget)
        }
    }

    @Test(
        "broken input is parsed, never rejected",
        arguments: [
            "", "<", "<!--", "<p", "<p a='", "\u{FEFF}<p>x", "</p></p>", "<table>x", "<svg><p>", "&#0;&#xD800;", "\0",
        ])
    func broken(html: String) throws {
        _ = try Document(parsing: html)
    }

    @Test("bytes that are not valid UTF-8 become U+FFFD")
    func invalid() throws {
        let document = try Document(parsing: Array("<p>a".utf8) + [0xFF] + Array("b".utf8))
        #expect(document.textContent(document.root) == "a\u{FFFD}b")
    }
}
