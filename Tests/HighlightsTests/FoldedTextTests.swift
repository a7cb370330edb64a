import Testing

@testable import Highlights

@Suite("Highlights / folded text")
struct FoldedTextTests {
    private let text = Array("A “B”… \u{AD}c".utf16)

    @Test("white space and invisible characters go, case and typography are unified")
    func folded() {
        #expect(FoldedText(text).units == Array("a\"b\".c".utf16))
        #expect(FoldedText.fold(text[...]) == FoldedText(text).units)
        #expect(FoldedText(Array("a...b".utf16)).units == FoldedText(Array("a…b".utf16)).units)
    }

    @Test("positions map to the original text and back")
    func positions() {
        let folded = FoldedText(text)
        #expect(folded.original(0..<2) == 0..<3)
        #expect(folded.original(5..<6) == 8..<9)
        #expect(folded.position(of: 1) == 1)
        #expect(folded.position(of: 100) == folded.units.count)
    }
}
