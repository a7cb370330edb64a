/// Makes paragraphs of printed pages. Joins lines unless the distance, the indentation, the letter size or the end of a
/// line before the margin separates them. Removes headers and footers that repeat from page to page. The time is
/// proportional to the number of lines.
enum PrintedText {
    /// Share of a page's height for its header, and for its footer.
    private static let margin = 0.1
    /// A line on this many pages is a header or footer.
    private static let minRepetitions = 3
    /// A greater distance between two baselines, in line heights, ends a paragraph.
    private static let widestLeading = 1.9
    /// The letters of a heading are at least this many times larger than most.
    private static let headingSize = 1.15
    private static let maxHeadingLength = 150

    static func blocks(_ lines: [PrintedLine]) -> [TextBlock] {
        let lines = withoutMargins(lines).map { line in
            var line = line
            line.text = line.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return line
        }.filter { !$0.text.isEmpty }
        let typicalHeight = median(lines.map(\.height))
        var blocks: [TextBlock] = []
        var open: [PrintedLine] = []
        var width = Width()
        for line in lines {
            if let last = open.last, beginsParagraph(line, after: last, typicalHeight: typicalHeight, width) {
                append(open, to: &blocks, typicalHeight: typicalHeight)
                open = []
            }
            if open.isEmpty || open[0].page != line.page { width = Width() }
            width.add(line)
            open.append(line)
        }
        append(open, to: &blocks, typicalHeight: typicalHeight)
        return blocks
    }

    /// Returns the largest line of the first page if it is larger than most of the text.
    static func title(of lines: [PrintedLine]) -> String? {
        let typicalHeight = median(lines.map(\.height))
        guard let first = lines.first?.page else { return nil }
        let ofPage = lines.prefix { $0.page == first }
        guard let largest = ofPage.map(\.height).max(), largest > typicalHeight * headingSize,
            let start = ofPage.firstIndex(where: { $0.height > largest * 0.95 })
        else { return nil }
        let title = JoinedLines.of(ofPage[start...].prefix { $0.height > largest * 0.95 }.prefix(4).map(\.text))
        let line = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count >= 4 && line.count <= 300 ? line : nil
    }

    // MARK: - Paragraphs

    /// The horizontal extent of the lines in the open paragraph's column.
    private struct Width {
        var left = Double.infinity
        var right = -Double.infinity

        mutating func add(_ line: PrintedLine) {
            left = min(left, line.left)
            right = max(right, line.right)
        }
    }

    private static func beginsParagraph(
        _ line: PrintedLine, after last: PrintedLine, typicalHeight: Double, _ width: Width
    ) -> Bool {
        let size = max(last.height, typicalHeight * 0.5)
        // Letters of a different size belong to another part. Footnote marks make a line only slightly higher.
        if abs(line.height - last.height) > 0.25 * max(line.height, last.height) { return true }
        guard line.page == last.page else { return endsSentence(last.text) && !beginsInLowercase(line.text) }
        let leading = line.top - last.top
        // The line is higher up: it is in another column, in which the paragraph may continue.
        if leading < -size { return endsSentence(last.text) && !beginsInLowercase(line.text) }
        if leading > widestLeading * size { return true }
        let isShort = last.right < width.right - 0.15 * max(width.right - width.left, 1)
        if isShort && (endsSentence(last.text) || isBullet(line.text)) { return true }
        // An indented first line, unless the line before is indented, too.
        return endsSentence(last.text) && line.left > width.left + 0.8 * size && last.left <= width.left + 0.4 * size
    }

    private static func append(_ lines: [PrintedLine], to blocks: inout [TextBlock], typicalHeight: Double) {
        guard let first = lines.first else { return }
        let text = JoinedLines.of(lines.map(\.text))
        let isLarge = first.height > typicalHeight * headingSize && typicalHeight > 0
        blocks.append(isLarge && text.count <= maxHeadingLength && lines.count <= 3 ? .heading(text) : .paragraph(text))
    }

    private static func endsSentence(_ text: String) -> Bool {
        guard let last = text.last(where: { !"\"'”’»)]".contains($0) }) else { return false }
        return ".!?:…。！？؟।".contains(last)
    }

    private static func beginsInLowercase(_ text: String) -> Bool { text.first?.isLowercase ?? false }

    private static func isBullet(_ text: String) -> Bool { text.first.map { "•–—·▪◦●■-*".contains($0) } ?? false }

    // MARK: - Headers and footers

    /// Removes the lines in the header or footer area that occur on many pages. Digits are ignored.
    private static func withoutMargins(_ lines: [PrintedLine]) -> [PrintedLine] {
        var pages: [String: Set<Int>] = [:]
        for line in lines { if let key = key(of: line) { pages[key, default: []].insert(line.page) } }
        return lines.filter { line in key(of: line).map { pages[$0, default: []].count < minRepetitions } ?? true }
    }

    private static func key(of line: PrintedLine) -> String? {
        guard line.pageHeight > 0 else { return nil }
        let isHead = line.bottom < line.pageHeight * margin
        guard isHead || line.top > line.pageHeight * (1 - margin) else { return nil }
        return (isHead ? "^" : "$") + String(line.text.prefix(100).filter { !$0.isNumber && !$0.isWhitespace })
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.filter { $0 > 0 }.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
