import HTML
import Testing

@testable import Readability

@Suite("Readability / scoring")
struct ScoringTests {
    private func scored(_ text: String) throws -> (document: Document, paragraph: NodeID, scoring: Scoring) {
        let document = try Document(parsing: "<div><div><p>\(text)</p></div></div>")
        let paragraph = try #require(document.first([.p], below: document.root))
        var scoring = Scoring(weighsClasses: false)
        scoring.score([paragraph], in: document)
        return (document, paragraph, scoring)
    }

    @Test(
        "the parent gets the whole score, the grandparent half, the next ancestor a sixth"
    )
    func ancestors() throws {
        // One point, and one for each of three comma-separated parts: 4. A `div` starts with 5, the body with 0.
        let (document, paragraph, scoring) = try scored("Some words, and more words, of a length.")
        let ancestors = document.ancestors(paragraph)
        #expect(scoring.score(of: ancestors[0]) == 9.0)
        #expect(scoring.score(of: ancestors[1]) == 7.0)
        #expect(scoring.score(of: ancestors[2]) == 4.0 / 6)
        #expect(scoring.candidates == Array(ancestors.prefix(3)))
    }

    @Test("every 100 characters add a point, up to three")
    func length() throws {
        let (document, paragraph, scoring) = try scored(String(repeating: "word ", count: 200))
        #expect(scoring.score(of: document.ancestors(paragraph)[0]) == 10.0)
    }

    @Test("a short paragraph does not score")
    func short() throws { #expect(try scored("Short.").scoring.candidates.isEmpty) }
}
