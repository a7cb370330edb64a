import Testing

@testable import Readability

@Suite("Readability / normalized texts")
struct NormalizedTextTests {
    @Test(
        "words are lower case, and an ideograph is a word",
        arguments: [
            ("The H\u{C9}LLO-World!", ["the", "héllo", "world"]), ("灯台 2", ["灯", "台", "2"]), ("don’t", ["dont"]),
            (" — ", []),
        ])
    func words(text: String, expected: [String]) {
        #expect(NormalizedText(text).words == expected)
        #expect(NormalizedText(text).text == expected.joined())
    }

    @Test("likeness is the share of common words, each counted once")
    func likeness() {
        #expect(NormalizedText("a b c d").likeness(NormalizedText("D C B A")) == 1)
        #expect(NormalizedText("a a b").likeness(NormalizedText("a c c")) == 2.0 / 6)
        #expect(NormalizedText("").likeness(NormalizedText("a")) == 0)
    }
}
