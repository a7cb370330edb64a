import Testing

@testable import Readability

@Suite("Readability / printed pages")
struct PrintedTextTests {
    /// Lines 10 points high, 14 points apart.
    private func lines(
        _ texts: [String], page: Int = 0, left: Double = 72, size: Double = 10, top: Double = 200, right: Double = 500
    ) -> [PrintedLine] {
        texts.enumerated().map { place, text in
            PrintedLine(
                text: text, left: left, top: top + 14 * Double(place), right: right,
                bottom: top + 14 * Double(place) + size, page: page,
                pageHeight: 800)
        }
    }

    @Test("lines are joined to paragraphs, also across pages")
    func joined() {
        let first = lines(["The tea house at the corner opens again on", "Monday, its owner said. It had been"])
        let second = lines(["closed since the flood of last year."], page: 1)
        #expect(
            PrintedText.blocks(first + second) == [
                .paragraph(
                    "The tea house at the corner opens again on Monday, its owner said. It had been closed since the flood of last year."
                )
            ])
    }

    @Test("distance, indentation and a short last line separate paragraphs")
    func separated() {
        #expect(PrintedText.blocks(lines(["One paragraph."]) + lines(["Another one."], top: 240)).count == 2)
        let full = lines(["One line that is full, and", "ends with its sentence here."])
        #expect(PrintedText.blocks(full + lines(["The next begins further in."], left: 90, top: 228)).count == 2)
        var short = lines(["One line that is full, and", "a short one."])
        short[1].right = 200
        #expect(PrintedText.blocks(short + lines(["The next paragraph."], top: 228)).count == 2)
    }

    @Test("larger letters are a heading, and the largest of the first page are the title")
    func headings() {
        let page =
            lines(["The tea house"], size: 24, top: 100)
            + lines(["It opens again on Monday, its owner said,", "and all may come."])
        #expect(PrintedText.blocks(page).first == .heading("The tea house"))
        #expect(PrintedText.title(of: page) == "The tea house")
    }

    @Test("headers and footers that repeat on every page are removed, whatever their numbers")
    func margins() {
        let pages = (0..<4).flatMap { page in
            lines(["The Tea Gazette"], page: page, top: 20) + lines(["Text of the page, which is its own."], page: page)
                + lines(["Page \(page + 1)"], page: page, top: 770)
        }
        #expect(PrintedText.blocks(pages).allSatisfy { !$0.text.contains("Gazette") && !$0.text.contains("Page ") })
    }

    @Test("a file without text is reported as scanned; titles written by programs are ignored")
    func article() {
        let reader = PageReader()
        let scanned = reader.readPrinted(
            [], title: "Scan", author: nil, pages: 3, isWhole: true, url: "https://h.example/a.pdf")
        #expect(scanned.interstitial == .picturesOfText && scanned.article == nil && scanned.metadata.title == "Scan")
        let named = reader.readPrinted(
            lines(["Some text of it."]), title: "Microsoft Word - tea.doc", author: "Ann", pages: 1, isWhole: true,
            url: "https://h.example/a.pdf")
        #expect(named.metadata.title == "a.pdf" && named.article?.byline == "Ann" && named.interstitial == nil)
        #expect(
            reader.readPrinted(lines(["Text."]), title: nil, author: nil, pages: 9_000, isWhole: false, url: "u")
                .interstitial == .beginningOnly)
    }
}
