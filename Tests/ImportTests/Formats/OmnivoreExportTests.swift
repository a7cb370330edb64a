import Testing

@testable import Import

@Suite("Import / quoted passages")
struct OmnivoreExportTests {
    @Test("quotations are read with the notes below them, without Omnivore's links back")
    func passages() {
        let passages = QuotedPassages.read(
            "# Highlights\n> one [⤴️](https://omnivore.app/x)  #label\n\nA note\nin two lines\n> two\n> three\n")
        #expect(passages.map(\.quote) == ["one", "two\nthree"])
        #expect(passages.map(\.note) == ["A note\nin two lines", nil])
    }

    @Test("a note of three hundred thousand lines takes no time that users notice", .timeLimit(.minutes(1)))
    func long() {
        let passages = QuotedPassages.read("> q\n" + String(repeating: "line\n", count: 300_000))
        #expect(passages.map { $0.note?.utf8.count } == [1_499_999])
    }
}
