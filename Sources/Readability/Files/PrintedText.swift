/// Makes paragraphs of printed pages: their lines are joined, where the distance, the indentation, the size of the letters or
/// the end of a line before the edge does not part them; what stands at the head or foot of page after page goes. In
/// proportion to the lines.
enum PrintedText {
    /// Share of a page's height that its head and its foot may take.
    private static let margin = 0.1
    /// Pages on which a line must stand to belong to them.
    private static let leastRepeated = 3
    /// Distance of two baselines, in heights of a line, beyond which a paragraph ends.
    private static let widestLeading = 1.9
    /// A heading's letters are so much larger than most.
    private static let headingSize = 1.15
    private static let longestHeading = 150

    static func blocks(_ lines: [PrintedLine]) -> [TextBlock] {
        let lines = withoutMargins(lines).map { line in
            var line = line
            line.text = line.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return line
        }.filter { !$0.text.isEmpty }
        let usual = median(lines.map(\.height))
        var blocks: [TextBlock] = []
        var open: [PrintedLine] = []
        var width = Width()
        for line in lines {
            if let last = open.last, begins(line, after: last, usual: usual, width) {
                append(open, to: &blocks, usual: usual)
                open = []
            }
            if open.isEmpty || open[0].page != line.page { width = Width() }
            width.add(line)
            open.append(line)
        }
        append(open, to: &blocks, usual: usual)
        return blocks
    }

    /// The largest line of the first page, where there is one that is larger than most of the text.
    static func title(of lines: [PrintedLine]) -> String? {
        let usual = median(lines.map(\.height))
        guard let first = lines.first?.page else { return nil }
        let ofPage = lines.prefix { $0.page == first }
        guard let largest = ofPage.map(\.height).max(), largest > usual * headingSize,
            let start = ofPage.firstIndex(where: { $0.height > largest * 0.95 })
        else { return nil }
        let title = JoinedLines.of(ofPage[start...].prefix { $0.height > largest * 0.95 }.prefix(4).map(\.text))
        let line = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count >= 4 && line.count <= 300 ? line : nil
    }

    // MARK: - Paragraphs

    /// How wide the lines of the open paragraph's column are.
    private struct Width {
        var left = Double.infinity
        var right = -Double.infinity

        mutating func add(_ line: PrintedLine) {
            left = min(left, line.left)
            right = max(right, line.right)
        }
    }

    private static func begins(_ line: PrintedLine, after last: PrintedLine, usual: Double, _ width: Width) -> Bool {
        let size = max(last.height, usual * 0.5)
        // Letters of another size are of another part; footnotes' figures make a line a little higher.
        if abs(line.height - last.height) > 0.25 * max(line.height, last.height) { return true }
        guard line.page == last.page else { return endsSentence(last.text) && !isSmall(line.text) }
        let leading = line.top - last.top
        // Upwards: another column, in which the paragraph may go on.
        if leading < -size { return endsSentence(last.text) && !isSmall(line.text) }
        if leading > widestLeading * size { return true }
        let isShort = last.right < width.right - 0.15 * max(width.right - width.left, 1)
        if isShort && (endsSentence(last.text) || isBullet(line.text)) { return true }
        // An indented first line, where the line before is not one itself.
        return endsSentence(last.text) && line.left > width.left + 0.8 * size && last.left <= width.left + 0.4 * size
    }

    private static func append(_ lines: [PrintedLine], to blocks: inout [TextBlock], usual: Double) {
        guard let first = lines.first else { return }
        let text = JoinedLines.of(lines.map(\.text))
        let isLarge = first.height > usual * headingSize && usual > 0
        blocks.append(isLarge && text.count <= longestHeading && lines.count <= 3 ? .heading(text) : .paragraph(text))
    }

    private static func endsSentence(_ text: String) -> Bool {
        guard let last = text.last(where: { !"\"'”’»)]".contains($0) }) else { return false }
        return ".!?:…。！？؟।".contains(last)
    }

    private static func isSmall(_ text: String) -> Bool { text.first?.isLowercase ?? false }

    private static func isBullet(_ text: String) -> Bool { text.first.map { "•–—·▪◦●■-*".contains($0) } ?? false }

    // MARK: - Heads and feet

    /// Without the lines that stand at the head or the foot of many pages, numbers apart.
    private static func withoutMargins(_ lines: [PrintedLine]) -> [PrintedLine] {
        var pages: [String: Set<Int>] = [:]
        for line in lines { if let key = key(of: line) { pages[key, default: []].insert(line.page) } }
        return lines.filter { line in key(of: line).map { pages[$0, default: []].count < leastRepeated } ?? true }
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
