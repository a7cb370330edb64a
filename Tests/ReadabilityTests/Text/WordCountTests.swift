import Testing

@testable import Readability

@Suite("Readability / word count")
struct WordCountTests {
    @Test(
        "words are runs between spaces; each Chinese and Japanese character counts",
        arguments: [
            ("one two-three  don't", 3), ("日本語のテスト", 7), ("Swift言語 ok", 4), ("안녕하세요 세계", 2), ("— … !", 0), ("", 0),
            ("été 42", 2),
        ])
    func words(text: String, expected: Int) { #expect(WordCount.of(text) == expected) }
}
