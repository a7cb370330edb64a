import HTML
import Testing

@testable import Readability

@Suite("Readability / explanation")
struct ExtractionExplanationTests {
    /// What the explanation says about the block that begins with a text.
    private func block(_ text: String, of body: String) throws -> ExtractionExplanation.Block {
        let page = try Document(parsing: "<title>An island</title><body>\(body)")
        let said = Extraction().explain(page, url: "https://example.org/")
        #expect(said.outcome == Extraction().outcome(of: page, url: "https://example.org/"))
        return try #require(said.explanation.blocks.first { $0.text.hasPrefix(text) })
    }

    private static let article = "<div class=text>\(String(repeating: paragraph, count: 4))"

    @Test("a paragraph of the article is kept, and a caption as a caption")
    func kept() throws {
        let body =
            Self.article + "<figure><img src=a.png><figcaption>A CAT asleep</figcaption></figure>\(paragraph)</div>"
        let block = try block("Cats", of: body)
        #expect(block.isKept && block.rule == nil && block.words > 10 && block.linkShare == 0)
        #expect(block.element.hasSuffix("div.text > p"))
        let caption = try self.block("A CAT", of: body)
        #expect(caption.isKept && caption.rule == "captions")
    }

    @Test("candidates are told even if another part of the page was taken in place of the best one")
    func candidates() throws {
        let page = try Document(
            parsing: """
                <title>An island</title><body><div class=hentry><h2>An island</h2><p>It is an island.</p></div>
                <div id=sidebar><p>\(sentence)</p><p>\(sentence)</p></div>
                """)
        let said = Extraction().explain(page, url: "https://example.org/").explanation
        #expect(said.chosen == "div.hentry" && !said.candidates.isEmpty)
    }

    @Test(
        "of every other block, the explanation names the rule that removed it",
        arguments: [
            ("unlikely", "<div class=sidebar>OTHER words</div>\(article)</div>"),
            ("hidden", "<div hidden>OTHER words</div>\(article)</div>"),
            ("element", "\(article)<aside>OTHER words</aside></div>"),
            ("boxes", "\(article)<div class=share>OTHER words</div>\(paragraph)</div>"),
            ("phrases", "\(article)<p>Read more: OTHER words</p>\(paragraph)</div>"),
            ("outside", "<div>\(article)</div></div><div><div>OTHER words</div></div>"),
        ])
    func removed(rule: String, body: String) throws {
        let text = body.contains("Read more: OTHER") ? "Read more: OTHER" : "OTHER"
        let block = try block(text, of: body)
        #expect(!block.isKept && block.rule == rule)
    }

    @Test("a box that is removed for its content is explained with the numbers")
    func numbers() throws {
        let links = (1...6).map { "<a href=/\($0)>OTHER place number \($0)</a> and more, " }.joined()
        let block = try block("OTHER", of: "\(Self.article)<div><p>\(links)</p></div>\(paragraph)</div>")
        #expect(block.rule == "links-in-box" && block.detail?.hasPrefix("link share 0.") == true)
    }

    @Test("a page without text has an explanation without blocks")
    func nothing() throws {
        let page = try Document(parsing: "<body><img src=a.png></body>")
        let said = Extraction().explain(page, url: "https://example.org/")
        #expect(said.outcome.article == nil && said.explanation.blocks.isEmpty)
    }
}
