import Testing

@testable import EPUB

@Suite("EPUB / text for XML")
struct XMLTextTests {
    @Test("white space and forbidden characters leave one line")
    func line() {
        #expect(XMLText.line(" a\n\u{1}b \u{FFFE} c\u{E9}\u{2} ") == "a b c\u{E9}")
        #expect(XMLText.line("\u{1} \u{FFFE}") == "")
    }

    @Test("a long text ends with an ellipsis")
    func limit() {
        #expect(XMLText.line("abc", limit: 3) == "abc")
        #expect(XMLText.line("abcd", limit: 3) == "abc…")
    }

    @Test("the longest note, of a million characters, takes no time that users notice", .timeLimit(.minutes(1)))
    func long() {
        let note = String(repeating: "word\u{1} \u{E9}t\u{E9} ", count: 100_000)
        #expect(XMLText.line(note).utf8.count == 1_099_999)
    }
}
