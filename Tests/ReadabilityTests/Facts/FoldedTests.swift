import Testing

@testable import Readability

@Suite("Readability / folded texts")
struct FoldedTests {
    @Test(
        "words are lower case, and an ideograph is a word",
        arguments: [
            ("The H\u{C9}LLO-World!", ["the", "héllo", "world"]), ("灯台 2", ["灯", "台", "2"]), ("don’t", ["dont"]),
            (" — ", []),
        ])
    func words(text: String, expected: [String]) {
        #expect(Folded(text).words == expected)
        #expect(Folded(text).text == expected.joined())
    }

    @Test("likeness is the share of common words, each counted once")
    func likeness() {
        #expect(Folded("a b c d").likeness(Folded("D C B A")) == 1)
        #expect(Folded("a a b").likeness(Folded("a c c")) == 2.0 / 6)
        #expect(Folded("").likeness(Folded("a")) == 0)
    }
}
