import Testing

@testable import Readability

@Suite("Readability / standfirst")
struct StandfirstTests {
    private static let title = "An island and its one ferry"
    private static let line = "The island has one ferry, which is one more than it needs, its mayor says."

    /// The text of a page with something between its headline and its text.
    private func text(header: String, head: String = "", title: String = title) throws -> String {
        let text = String(repeating: paragraph, count: 4)
        let body = """
            <div class=page><div class=top><h1>\(title)</h1>\(header)</div>
            <div class=column><div class=text>\(text)</div></div></div>
            """
        let page = try article(body, head: "<title>\(Self.title)</title>\(head)", mode: .best)
        return try #require(page).textContent
    }

    @Test(
        "the paragraph between the headline and the text is the beginning of the article",
        arguments: ["<p>LINE</p>", "<div class=lead>LINE</div>", "<h2 class=subtitle>LINE</h2>", "<h2>LINE</h2>"])
    func header(html: String) throws {
        let text = try text(header: html.replacing("LINE", with: Self.line))
        #expect(text.hasPrefix(Self.line) && text.components(of: Self.line) == 1)
    }

    @Test("the headline may be in a box inside its heading")
    func boxInHeading() throws {
        let title = "<div>\(Self.title)</div>"
        #expect(try text(header: "<p>\(Self.line)</p>", title: title).hasPrefix(Self.line))
    }

    @Test("a heading between them belongs to the article if it is the description of the page")
    func description() throws {
        let head = "<meta name=description content='\(Self.line)'>"
        #expect(try text(header: "<h2>\(Self.line)</h2>", head: head).hasPrefix(Self.line))
    }

    @Test(
        "what else stands there does not belong to the article",
        arguments: [
            "<p>By A. Writer</p>", "<p>12 March 2024, 10:15</p>", "<div class=share>LINE</div>",
            "<figure><img src=a.png><figcaption>LINE</figcaption></figure>", "<p><a href=/>LINE</a></p>",
            "<div class=newsletter><p>LINE</p></div>",
        ])
    func others(html: String) throws {
        #expect(try text(header: html.replacing("LINE", with: Self.line)).hasPrefix("Cats"))
    }
}
