import Testing

@testable import Readability

@Suite("Readability / text blocks")
struct TextBlockTests {
    @Test("the text of lines has their breaks")
    func text() {
        #expect(TextBlock.lines(["a", "b"]).text == "a\nb")
        #expect(TextBlock.heading("a").text == "a")
    }

    @Test(
        "the first bytes of a block are cut at a character boundary",
        arguments: [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (9, "aéb")])
    func beginning(bytes: Int, text: String) {
        #expect(TextBlock.paragraph("aéb").beginning(bytes: bytes) == .paragraph(text))
        #expect(TextBlock.preformatted("aéb").beginning(bytes: bytes) == .preformatted(text))
    }

    @Test("the first bytes of lines are lines")
    func lines() { #expect(TextBlock.lines(["ab", "cd"]).beginning(bytes: 4) == .lines(["ab", "c"])) }
}
