import HTML
import Testing

@Suite("HTML / tables")
struct TreeBuilderTableTests {
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
}
