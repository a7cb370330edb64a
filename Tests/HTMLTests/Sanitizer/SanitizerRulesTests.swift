import HTML
import Links
import Testing

@Suite("HTML / sanitizer limits")
struct SanitizerRulesTests {
    private func sanitize(_ html: String) throws -> String {
        try Sanitizer(base: WebAddress("https://h.example/")).sanitize(html)
    }

    private func depth(_ html: String) throws -> Int {
        var document = Document()
        let fragment = try document.parseFragment(Array(html.utf8))
        var deepest = 0
        document.forEachNode(below: fragment) { node in
            if document.isElement(node) { deepest = max(deepest, document.ancestors(node).count) }
        }
        return deepest
    }

    @Test(
        "elements are nested at most 256 deep, and no content is lost",
        arguments: ["<div>", "<span>", "<blockquote><p>", "<table><tr><td>", "<ul><li>", "<section><div>"])
    func nesting(opening: String) throws {
        let html = try sanitize(String(repeating: opening, count: 600) + "text<img src=x>")
        #expect(try depth(html) <= 257)
        #expect(html.contains("text"))
        #expect(html.contains("<img src=\"https://h.example/x\">"))
        #expect(try sanitize(html) == html)
    }

    @Test("input over budget is rejected with the parser's error")
    func budget() {
        var budget = ParseBudget()
        budget.sourceBytes = 3
        #expect(throws: ParseError.tooLarge(bytes: 4, limit: 3)) { try Sanitizer(budget: budget).sanitize("<p>x") }
    }

    @Test("long attribute texts are truncated between characters; long URLs and ids are removed")
    func attributes() throws {
        let long = String(repeating: "é", count: 5_000)
        #expect(
            try sanitize("<p title=x\(long)>y</p>") == "<p title=\"x\(String(repeating: "é", count: 2_047))\">y</p>")
        #expect(try sanitize("<img src='\(long)' srcset='\(String(repeating: long, count: 4))'>") == "<img>")
        #expect(try sanitize("<a href='\(String(repeating: "/", count: 9_000))' id=\(long)>y</a>") == "<a>y</a>")
        #expect(
            try sanitize("<p style='\(String(repeating: "x:y;", count: 2_000))text-align:left'>y</p>") == "<p>y</p>")
    }

    @Test("an inline image has at most 512 KiB, all images together at most 2 MiB")
    func pictures() throws {
        func picture(_ bytes: Int) -> String {
            let head = "data:image/png;base64,"
            return "<img src=\"\(head)\(String(repeating: "A", count: bytes - head.utf8.count))\">"
        }
        let largest = picture(512 << 10)
        #expect(try sanitize(largest) == largest)
        #expect(try sanitize(picture((512 << 10) + 1)) == "<img>")
        let many = try sanitize(String(repeating: largest, count: 5) + "<img src=x>")
        #expect(many == String(repeating: largest, count: 4) + "<img><img src=\"https://h.example/x\">")
        #expect(try sanitize(many) == many)
    }

    @Test(
        "input crafted to be slow takes no longer than other pages of its size",
        arguments: [
            "<a href=x>y</a>", "<a id=x href=#x>y</a>", "<a href=#y>x</a>", "<p title=x>", "<img srcset='a 1x, b 2x'>",
            "<x>y</x>",
            "<p style='text-align:left;a:b'>x</p>", "<a href='http://日本語日本語日本語.日本/'>x</a>",
        ])
    func linear(piece: String) throws {
        func seconds(_ bytes: Int) throws -> Double {
            let html = String(repeating: piece, count: bytes / piece.utf8.count)
            return try processorSeconds { _ = try sanitize(html) }
        }
        let small = try (0..<3).map { _ in try seconds(20_000) }.min() ?? 0
        // Sixteen times the size; quadratic time would be 256 times as long. Other load on the machine may more than
        // double it.
        #expect(try seconds(320_000) < 80 * small + 0.2)
    }
}
