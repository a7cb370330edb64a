import Testing

@testable import Readability

@Suite("Readability / text files")
struct PlainBlocksTests {
    private static let wrapped = """
        It was a bright cold day in the tea house, and the clocks were
        striking thirteen. The owner, his chin nuzzled into his breast,
        slipped quickly through the glass doors, though not quickly
        enough.
        """

    @Test("lines that were broken at a width are joined, including hyphenated words")
    func joined() {
        let found = PlainBlocks.of(
            Self.wrapped + "\n\n"
                + "What was meant for one line was broken in the middle of an unbe-\nlievably long word, and goes on here for a while until it ends.\n"
        )
        #expect(found.count == 2)
        guard case .paragraph(let first) = found[0], case .paragraph(let second) = found[1] else {
            Issue.record("\(found)")
            return
        }
        #expect(first.hasSuffix("though not quickly enough.") && !first.contains("\n"))
        #expect(second.contains("an unbelievably long word"))
    }

    @Test("breaks of short lines and list items stay")
    func lines() {
        #expect(PlainBlocks.of("Roses are red\nviolets are blue\n") == [.lines(["Roses are red", "violets are blue"])])
        let item = "- an item of the list that is as long as lines are where they are broken"
        #expect(PlainBlocks.of("\(item)\n\(item)") == [.lines([item, item])])
    }

    @Test("indented lines and columns stay as they are")
    func preformatted() {
        #expect(PlainBlocks.of("    let a = 1\n\n    let b = 2") == [.preformatted("    let a = 1\n\n    let b = 2")])
        #expect(PlainBlocks.of("name     price\ntea      2") == [.preformatted("name     price\ntea      2")])
    }

    @Test("every kind of line end separates lines", arguments: ["\n", "\r\n", "\r", "\u{0C}"])
    func lineEnds(end: String) {
        #expect(PlainBlocks.of("A\(end)\(end)B") == [.paragraph("A"), .paragraph("B")])
    }

    @Test("a text file becomes an article: its first line is the title, and markup characters are escaped")
    func article() {
        let reading = PageReader().readPlainText(
            Array("The tea house\n\n\(Self.wrapped)\n\n<b>x</b> & y".utf8), url: "https://h.example/tea%20house.txt")
        #expect(reading.metadata.title == "The tea house")
        #expect(reading.article?.content.hasSuffix("<p>&lt;b&gt;x&lt;/b&gt; &amp; y</p>") == true)
        #expect(reading.article?.textContent.hasSuffix("enough.\n\n<b>x</b> & y") == true)
        #expect(reading.interstitial == nil)
        #expect(
            PageReader().readPlainText(Array("tea".utf8), url: "https://h.example/tea%20house.txt").metadata.title
                == "tea house.txt")
        #expect(PageReader().readPlainText(Array(" \n ".utf8), url: "https://h.example/a.txt").interstitial == .empty)
    }

    @Test("only the start of a long text without empty lines is kept", arguments: [" ", "\n"])
    func oneBlock(between: String) {
        let text = String(
            repeating: "Un été, \(between)une année, un hiver et la moitié d'un printemps, cela fait beaucoup",
            count: 60_000)
        let reading = PageReader().readPlainText(Array(text.utf8), url: "https://h.example/a.txt")
        #expect(reading.interstitial == .beginningOnly)
        let kept = reading.article?.textContent ?? ""
        #expect(
            (3_999_998...4_000_000).contains(kept.utf8.count) && kept.hasPrefix("Un été")
                && !kept.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test("code with many empty lines is one block")
    func manyParts() {
        let part = "    let a = 1"
        let code = Array(repeating: part, count: 100_000).joined(separator: "\n\n")
        #expect(PlainBlocks.of(code) == [.preformatted(code)])
    }

    @Test("only the start of a huge file is kept, and reported as incomplete")
    func beginning() {
        let reading = PageReader().readPlainText(
            Array(String(repeating: "A line of its own.\n\n", count: 300_000).utf8), url: "https://h.example/a.txt")
        #expect(reading.interstitial == .beginningOnly)
        #expect(reading.article?.textContent.hasPrefix("A line") == true)
    }
}
