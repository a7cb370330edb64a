/// Splits a text file into blocks at its empty lines. Joins lines that were broken at a width; keeps lines that are
/// indented or set in columns. The time is proportional to the size of the text.
enum PlainBlocks {
    /// If the longest line is shorter, the lines were not broken at a width.
    private static let narrowest = 45
    /// Nobody breaks lines at a greater width.
    private static let widest = 110
    /// One line in this many, the last line aside, may be shorter than three quarters of the longest in a paragraph
    /// that was broken at a width.
    private static let linesPerShortLine = 5
    /// Bytes of a line that can be a title.
    private static let maxTitleBytes = 150

    static func of(_ text: String) -> [TextBlock] {
        var blocks: [TextBlock] = []
        var open: [Substring] = []
        for line in lines(of: text) {
            if line.allSatisfy(\.isWhitespace) {
                append(open, to: &blocks)
                open = []
            } else {
                open.append(line)
            }
        }
        append(open, to: &blocks)
        return blocks
    }

    /// Returns the first block if it is one short line and more blocks follow.
    static func title(of blocks: [TextBlock]) -> String? {
        guard blocks.count > 1, case .paragraph(let text) = blocks[0], text.utf8.count <= maxTitleBytes else {
            return nil
        }
        return text
    }

    /// A form feed also ends a line.
    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" || $0 == "\u{0C}" }
    }

    private static func append(_ lines: [Substring], to blocks: inout [TextBlock]) {
        guard !lines.isEmpty else { return }
        if lines.allSatisfy(isIndented) || lines.count > 1 && lines.allSatisfy(hasColumns) {
            let text = lines.map(withoutTrailingSpace).joined(separator: "\n")
            // Empty lines between indented lines belong to the code.
            if case .preformatted(var code)? = blocks.last, lines.allSatisfy(isIndented) {
                // Remove the block before appending to it: with a second reference to its text, each append would copy
                // all of it.
                blocks.removeLast()
                code += "\n\n" + text
                blocks.append(.preformatted(code))
            } else {
                blocks.append(.preformatted(text))
            }
            return
        }
        let trimmed = lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        if trimmed.count == 1 || isHardWrapped(trimmed) {
            blocks.append(.paragraph(JoinedLines.of(trimmed)))
        } else {
            blocks.append(.lines(trimmed))
        }
    }

    private static func isIndented(_ line: Substring) -> Bool { line.first == "\t" || line.hasPrefix("    ") }

    /// Whether three or more spaces, or a tab, separate columns of words.
    private static func hasColumns(_ line: Substring) -> Bool {
        let inner = line.drop(while: \.isWhitespace)
        return inner.contains("\t")
            || inner.firstRange(of: "   ").map { inner[$0.upperBound...].contains { !$0.isWhitespace } } ?? false
    }

    private static func withoutTrailingSpace(_ line: Substring) -> Substring {
        var line = line
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }

    /// Whether all lines except the last have about the same length, and none begins like a list item.
    private static func isHardWrapped(_ lines: [String]) -> Bool {
        let lengths = lines.map(\.unicodeScalars.count)
        guard let longest = lengths.max(), (narrowest...widest).contains(longest),
            !lines.dropFirst().contains(where: beginsItem)
        else { return false }
        let short = lengths.dropLast().count { $0 * 4 < longest * 3 }
        return short * linesPerShortLine <= lines.count
    }

    private static func beginsItem(_ line: String) -> Bool {
        let first = line.prefix { !$0.isWhitespace }
        guard first.count < line.count, let sign = first.last else { return false }
        if first.count == 1, "-*+•–—·>".contains(sign) { return true }
        return first.count <= 4 && (sign == "." || sign == ")") && first.dropLast().allSatisfy(\.isNumber)
            && first.count > 1
    }
}
