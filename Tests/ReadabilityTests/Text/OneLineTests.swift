import Testing

@testable import Readability

@Suite("Readability / one line")
struct OneLineTests {
    @Test(
        "white space of any kind becomes one space and is removed at the ends",
        arguments: [" a\u{A0}\r\n\u{2003}b\t", "a b", "\u{B}a\u{85}b\u{3000}"])
    func spaces(text: String) { #expect(OneLine.of(text) == "a b") }

    @Test("an empty text gives nil", arguments: [nil, "", " \n\u{2003}"])
    func empty(text: String?) { #expect(OneLine.of(text) == nil && OneLine.of(text, limit: 5) == nil) }

    @Test(
        "the length is counted in scalars, and the text never ends in a space",
        arguments: [(1, "a"), (2, "a"), (3, "a b"), (4, "a b\u{301}"), (9, "a b\u{301}\u{301}")])
    func length(limit: Int, line: String) {
        #expect(
            OneLine.of("a  b\u{301}\u{301} ", limit: limit)?.unicodeScalars.elementsEqual(line.unicodeScalars) == true)
    }
}
