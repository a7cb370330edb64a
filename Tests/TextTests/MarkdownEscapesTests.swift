import Testing

@testable import Text

@Suite("Text / Markdown escapes")
struct MarkdownEscapesTests {
    @Test(
        "the start of a line is escaped only if it would start another block",
        arguments: [
            ("# a", 0), ("####### a", nil), ("#tag", nil), ("> a", 0), ("- a", 0), ("-a", nil), ("---", 0), ("+ a", 0),
            ("12. a", 2), ("1) a", 1), ("1.5", nil), ("1234567890. a", nil), ("[^1]: a", 4), ("[1]: a", nil),
            ("a", nil),
            ("", nil),
        ] as [(String, Int?)])
    func lineStart(line: String, expected: Int?) {
        #expect(Array(line.utf8).withUnsafeBufferPointer(MarkdownEscapes.positionToEscape(inLine:)) == expected)
    }

    @Test(
        "trailing number signs of a heading are escaped after a space",
        arguments: [
            ("a #", 2), ("a ##", 2), ("#", 0), ("C#", nil), ("a", nil),
        ] as [(String, Int?)])
    func headingEnd(title: String, expected: Int?) {
        #expect(MarkdownEscapes.positionToEscape(inHeading: Array(title.utf8)) == expected)
    }

    @Test(
        "a link destination contains no character that would end it",
        arguments: [
            ("http://h/(y)", "<http://h/(y)>"), ("a b|c", "a%20b%7Cc"), ("a\\b", "a\\\\b"),
            ("?a&amp;b&c=1", "?a\\&amp;b&c=1"),
        ])
    func destination(url: String, expected: String) {
        var output: [UInt8] = []
        MarkdownEscapes.writeDestination(Array(url.utf8), to: &output)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test("the longest run of a character is found")
    func runs() {
        #expect(MarkdownEscapes.longestRun(of: UInt8(ascii: "`"), in: "a``b```c`".utf8) == 3)
        #expect(MarkdownEscapes.longestRun(of: UInt8(ascii: "`"), in: "abc".utf8) == 0)
    }
}
