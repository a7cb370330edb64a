import HTML
import Testing

@testable import Readability

@Suite("Readability / short texts")
struct DocumentShortTextTests {
    @Test(
        "a long attribute is cut between characters",
        arguments: [("aü", 2, "a"), ("aü", 3, "aü"), (" a ", 9, "a"), ("  ", 9, nil)] as [(String, Int, String?)])
    func value(text: String, limit: Int, expected: String?) throws {
        let document = try Document(parsing: "<p title='\(text)'>")
        let node = try #require(document.first([.p], below: document.root))
        #expect(document.shortValue(node, .title, maxBytes: limit) == expected)
    }

    @Test("text is joined to one line, without scripts, and rejected beyond the limit")
    func text() throws {
        let document = try Document(parsing: "<div><p>One\n line,<p>two<script>x</script></div>")
        let node = try #require(document.first([.div], below: document.root))
        #expect(document.shortText(node, maxBytes: 100) == "One line, two")
        #expect(document.shortText(node, maxBytes: 5) == nil)
    }
}
