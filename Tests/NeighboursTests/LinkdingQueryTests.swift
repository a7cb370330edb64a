import Search
import Testing

@testable import Neighbours

@Suite("Neighbours / linkding's queries")
struct LinkdingQueryTests {
    private static func word(_ text: String) -> SearchCondition { .word(text, isPrefix: true, in: nil) }

    @Test(
        "a query becomes a condition",
        arguments: [
            ("", nil), ("  ", nil), ("tea", word("tea")), ("Tea  time", .all([word("Tea"), word("time")])),
            ("#hot", .tag("hot")), ("#", word("#")), (#""black tea""#, .phrase("black tea", in: nil)),
            ("'black tea", .phrase("black tea", in: nil)), (#""""#, nil), ("!untagged", .state(.untagged)),
            ("!UNREAD #a", .all([.state(.unread), .tag("a")])), ("is:starred", word("is:starred")),
            ("-x", word("-x")), ("a or b", .all([word("a"), word("or"), word("b")])),
        ] as [(String, SearchCondition?)])
    func conditions(text: String, expected: SearchCondition?) throws {
        #expect(try LinkdingQuery(text).condition == expected)
    }

    @Test(
        "a query that is too long is refused",
        arguments: [String(repeating: "x", count: 1_001), String(repeating: "x ", count: 61)])
    func long(text: String) {
        #expect(throws: NeighbourError.self) { try LinkdingQuery(text) }
    }
}
