import Testing

@testable import Highlights

@Suite("Highlights / passage")
struct PassageTests {
    private let former = Array("one two three".utf16)
    private let highlight = Highlight(id: "1", quote: "two", range: 4..<7)

    @Test("missing context is taken from the former text")
    func context() {
        let passage = Passage(highlight, former: former)
        #expect(String(decoding: passage.before(3), as: UTF16.self) == "ne ")
        #expect(String(decoding: passage.after(2), as: UTF16.self) == " t")
        #expect(Passage(highlight, former: Array("another text".utf16)).before(3).isEmpty)
    }

    @Test("a passage has the context that the text allows")
    func enough() {
        let passage = Passage(highlight, former: former)
        #expect(passage.hasContext(before: 32, after: 32) && passage.hasContext(before: .max, after: .max))
        #expect(!Passage(highlight, former: []).hasContext(before: 10, after: 0))
        #expect(Passage(highlight, former: []).hasContext(before: 0, after: 0))
        #expect(!Passage(Highlight(id: "1", quote: ""), former: former).hasContext(before: 0, after: 0))
    }

    @Test("a pattern starts before the quote by the length of its context")
    func pattern() {
        let pattern = Passage(highlight, former: former).pattern(before: 2, after: 1)
        #expect(String(decoding: pattern.units, as: UTF16.self) == "e two ")
        #expect(pattern.expected == 2)
    }

    @Test(
        "a passage is unmoved only amid its former context",
        arguments: [
            ("one two three", true), ("one two three four", true), ("now two three", false), ("one two", false),
            ("", false),
        ])
    func unmoved(text: String, expected: Bool) {
        #expect(Passage(highlight, former: former).isUnmoved(in: Array(text.utf16)) == expected)
    }
}
