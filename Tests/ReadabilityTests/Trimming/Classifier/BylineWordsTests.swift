import Testing

@testable import Readability

@Suite("Readability / byline words")
struct BylineWordsTests {
    @Test(
        "lines that name authors are recognised in several languages",
        arguments: [
            ("by anna", true), ("written by anna", true), ("von anna", true), ("文/安娜", true), ("byron", false),
            ("anna", false),
        ])
    func opens(text: String, expected: Bool) { #expect(BylineWords.opens(Array(text.utf8)[...]) == expected) }
}
