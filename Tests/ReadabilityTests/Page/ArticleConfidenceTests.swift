import HTML
import Testing

@testable import Readability

@Suite("Readability / confidence")
struct ArticleConfidenceTests {
    private func confidence(_ body: String, mode: ExtractionMode = .best) throws -> ArticleConfidence? {
        try #require(try article(body, mode: mode)).confidence
    }

    private static let hours = (1...9).map { "<tr><td>Day \($0)</td><td>9 to 12</td></tr>" }.joined()

    @Test("an article with running text is found with certainty, however short")
    func normal() throws {
        #expect(try confidence("<article>\(String(repeating: paragraph, count: 4))</article>") == .normal)
        #expect(try confidence("<div class=post><h1>Late</h1><p>\(sentence)</p></div>") == .normal)
    }

    @Test("a page without running text has an article of low confidence")
    func low() throws {
        #expect(try confidence("<h1>Opening hours</h1><div><table>\(Self.hours)</table></div>") == .low)
    }

    @Test("the part of a page that has most of its running text is certain, whatever the search has found")
    func region() throws {
        let entry = { (number: Int) in "<td><div><p>\(number). \(sentence)</p></div></td>" }
        let page = { (count: Int) in
            "<div class=sidebar><ul><li>Tides, harbours</li></ul></div><div class=side-text>"
                + (1...count).map { "<table><tr>\(entry($0))</tr></table>" }.joined() + "</div>"
        }
        #expect(try confidence(page(12)) == .normal)
    }

    @Test("many words of another kind are convincing, such as a preformatted message")
    func preformatted() throws {
        let message = String(repeating: "The ferry leaves at noon, if the tide\nallows it.\n", count: 20)
        #expect(try confidence("<h1>Ferry</h1><pre>\(message)</pre>") == .normal)
    }

    @Test("a short text on a page of links is an article of low confidence")
    func amongLinks() throws {
        let links = (1...40).map { "<li><a href=/\($0)>The headline of the story number \($0)</a></li>" }.joined()
        let text = "<div class=text><h1>Late ferry</h1><p>\(sentence)</p><p>\(sentence)</p></div>"
        let page = try Document(parsing: "<!doctype html><title>Late ferry</title><body>\(text)<ul>\(links)</ul>")
        let outcome = Extraction().outcome(of: page, url: "http://host.example/")
        let article = try #require(outcome.article)
        #expect(article.textContent.hasPrefix("Cats"))
        let isIndex = InterstitialClassifier.classify(InterstitialFeatures(page)) == .index
        #expect(article.confidence == (isIndex ? .low : .normal))
    }

    @Test("it is told in mode best only")
    func modes() throws {
        #expect(try confidence(String(repeating: paragraph, count: 4), mode: .compat) == nil)
        let members = try #require(try article(String(repeating: paragraph, count: 4), mode: .best)).members
        #expect(members.contains { $0.key == "confidence" && $0.value == .string("normal") })
    }
}
