/// The export of KOReader as Markdown: a heading for each book, chapter and passage, and below the last one the passage,
/// perhaps in the marks of its style, and the note after a rule.
enum KOReaderMarkdown {
    /// The marks of the styles, the longest first.
    private static let marks = [
        ("**_", "_**"), ("**", "**"), ("==", "=="), ("++", "++"), ("~~", "~~"), ("<u>", "</u>"), ("*", "*"),
    ]

    /// Whether a line is the heading of a passage: "### Page 5 @ 01 January 2024 10:00:00 AM".
    static func isPlace(_ line: Substring) -> Bool { line.hasPrefix("### Page ") && line.contains(" @ ") }

    static func books(in lines: [Substring]) -> [ClippedBook] {
        var books: [ClippedBook] = []
        var passage: [Substring]?
        func end() {
            if let lines = passage, let clipping = clipping(lines), !books.isEmpty {
                books[books.count - 1].clippings.append(clipping)
            }
            passage = nil
        }
        for (index, line) in lines.enumerated() {
            // The author follows the title, which distinguishes it from a line of a passage.
            if line.hasPrefix("# "), index + 1 < lines.count, lines[index + 1].hasPrefix("##### ") {
                end()
                books.append(ClippedBook(title: String(line.dropFirst(2).trimming(\.isWhitespace)), clippings: []))
            } else if isPlace(line) {
                end()
                passage = []
            } else if line.hasPrefix("## ") {
                end()
            } else {
                passage?.append(line)
            }
        }
        end()
        return books
    }

    private static func clipping(_ lines: [Substring]) -> Clipping? {
        let lines = lines.filter { !isFooter($0) }
        let rule = lines.firstIndex { $0 == "---" } ?? lines.count
        func text(_ lines: ArraySlice<Substring>) -> Substring {
            lines.joined(separator: "\n")[...].trimming(\.isWhitespace)
        }
        let quote = unmarked(text(lines[..<rule]))
        return quote.isEmpty ? nil : Clipping(quote: String(quote), note: String(text(lines[rule...].dropFirst())))
    }

    private static func unmarked(_ text: Substring) -> Substring {
        for (start, end) in marks
        where text.hasPrefix(start) && text.hasSuffix(end) && text.utf8.count > start.utf8.count + end.utf8.count {
            return text.dropFirst(start.count).dropLast(end.count)
        }
        return text
    }

    /// Whether a line is a link into the book, or says when the file was made.
    private static func isFooter(_ line: Substring) -> Bool {
        line.hasPrefix("[") && line.contains("](<file://") || line.hasPrefix("_Generated at: ")
    }
}
