import Testing

@testable import Readability

@Suite("Readability / text similarity")
struct TextSimilarityTests {
    @Test(
        "similarity is the share of common words",
        arguments: [
            ("a story of cats", "A Story of Cats!", 1.0), ("one two", "three four", 0.0), ("", "x", 0.0),
            ("日本", "日本", 0.0), ("i stanbul", "İSTANBUL", 1.0), ("k", "\u{212A}", 1.0),
        ])
    func similarity(one: String, other: String, expected: Double) {
        #expect(TextSimilarity(to: other).of(one) == expected)
    }
}
