import Testing

@testable import Readability

@Suite("Readability / text scan")
struct TextScanTests {
    private func scan(_ text: String, note: String = "") -> TextScan {
        var scan = TextScan()
        Array(text.utf8).withUnsafeBufferPointer { scan.add($0, isNote: false) }
        if !note.isEmpty { Array(note.utf8).withUnsafeBufferPointer { scan.add($0, isNote: true) } }
        return scan
    }

    @Test(
        "words are counted, ideographs as half and Thai letters as a quarter of a word",
        arguments: [
            ("one two-three don't", 3), ("日本語の", 2), ("กกกก", 1), ("été 42", 2), (" — ", 0), ("", 0),
        ])
    func words(text: String, count: Int) { #expect(scan(text).length.words == count) }

    @Test(
        "the ending ignores closing quotation marks and brackets",
        arguments: [
            ("A sentence.", .sentence), ("“A sentence.”", .sentence), ("(Really?)", .sentence), ("文。", .sentence),
            ("A list:", .colon),
            ("A title", .open), ("A title –", .open), ("", .open),
        ] as [(String, ArticleBlock.Ending)])
    func ending(text: String, ending: ArticleBlock.Ending) { #expect(scan(text).ending == ending) }

    @Test("a footnote mark does not change the ending")
    func note() {
        #expect(scan("A sentence.", note: "1").ending == .sentence)
        #expect(scan("A title", note: "1").ending == .open)
    }

    @Test("sentences that end before the text does are counted")
    func innerSentences() { #expect(scan("One. Two! Three. Version 2.0 is out").innerSentences == 3) }

    @Test("the start is lowercase with collapsed white space and straight apostrophes")
    func folded() {
        #expect(String(decoding: scan(" A  É\n\u{A0}don’t ").folded, as: UTF8.self) == "a é don't")
        #expect(scan(String(repeating: "word ", count: 1_000)).folded.count == TextScan.foldedBytes)
    }

    @Test("texts that differ in case and white space have the same hash")
    func hash() {
        #expect(scan("One two").hash.value == scan(" ONE\n two").hash.value)
        #expect(scan("One two").hash.value != scan("One too").hash.value)
    }

    @Test("a reset scan is like a new one")
    func reset() {
        var used = scan("One. Two")
        used.reset()
        #expect(
            used.length.words == 0 && used.ending == .open && used.innerSentences == 0 && !used.hasText
                && used.folded.isEmpty)
    }
}
