import Testing

@testable import Readability

@Suite("Readability / text length")
struct TextLengthTests {
    @Test("a word, two ideographs and four letters without spaces have the same length")
    func units() {
        var words = TextLength()
        words.addWord()
        var ideographs = TextLength()
        for _ in 0..<2 { ideographs.addIdeograph() }
        var letters = TextLength()
        for _ in 0..<4 { letters.addSpacelessLetter() }
        #expect(words.units == ideographs.units && words.units == letters.units && words.words == 1)
    }

    @Test("lengths are added and subtracted; a part of a word counts as one")
    func difference() {
        var length = TextLength()
        length.addWord()
        let before = length
        length.addIdeograph()
        #expect(length.since(before).words == 1 && length.words == 2)
        length.add(before)
        #expect(length.since(before).units == length.units - 4)
    }
}
