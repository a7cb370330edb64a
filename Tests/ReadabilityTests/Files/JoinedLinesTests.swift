import Testing

@testable import Readability

@Suite("Readability / joined lines")
struct JoinedLinesTests {
    @Test(
        "lines are joined by a space, except in a hyphenated word and between characters without spaces",
        arguments: [
            (["One line", "and another"], "One line and another"),
            (["an unbe-", "lievable day"], "an unbelievable day"),
            (["co\u{AD}", "op"], "coop"), (["Anna-", "Maria"], "Anna- Maria"), (["日本", "語"], "日本語"),
            (["日本", "is Japan"], "日本 is Japan"), (["", "a", "", "b"], "a b"), ([], ""),
        ])
    func joined(lines: [String], text: String) { #expect(JoinedLines.of(lines) == text) }
}
