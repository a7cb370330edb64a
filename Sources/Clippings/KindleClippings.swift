/// `My Clippings.txt` of a Kindle: entries of four parts, the title, what it is and where, an empty line, and the text.
/// KOReader can write the same.
enum KindleClippings {
    /// What a note is called in the languages of the Kindle.
    private static let notes: Set = ["note", "notiz", "nota", "notitie", "заметка"]
    private static let unspacedNotes = ["メモ", "笔记", "筆記"]
    /// A note follows its highlight closely, so a search among all of a book is not needed.
    private static let reach = 1_000

    private struct Entry {
        var clipping: Clipping
        var start: Int
        var end: Int
    }

    /// Whether a line separates entries.
    static func isSeparator(_ line: Substring) -> Bool {
        let line = line.trimming(\.isWhitespace)
        return line.utf8.count >= 8 && line.utf8.allSatisfy { $0 == UInt8(ascii: "=") }
    }

    static func books(in lines: [Substring]) -> [ClippedBook] {
        var titles: [String] = []
        var books: [String: [Entry]] = [:]
        for entry in lines.split(whereSeparator: isSeparator) {
            let parts = entry.drop { $0.allSatisfy(\.isWhitespace) }
            guard let title = parts.first.map(title), let kind = parts.dropFirst().first else { continue }
            let words = parts.dropFirst(2).joined(separator: "\n")[...].trimming(\.isWhitespace)
            guard kind.drop(while: \.isWhitespace).first == "-", !words.isEmpty else { continue }
            if books[title] == nil { titles.append(title) }
            add(String(words), kind, to: &books[title, default: []])
        }
        return titles.map { ClippedBook(title: $0, clippings: (books[$0] ?? []).map(\.clipping)) }
    }

    /// A Kindle never changes an entry: a longer highlight, or another text of a note, is a new one at the same place.
    private static func add(_ words: String, _ kind: Substring, to entries: inout [Entry]) {
        let (start, end) = place(kind)
        let recent = entries.indices.suffix(reach)
        if isNote(kind) {
            if let marked = recent.last(where: { entries[$0].start <= end && entries[$0].end >= end }) {
                entries[marked].clipping.note = words
            }
            return
        }
        let known = recent.last { place in
            let quote = entries[place].clipping.quote
            return entries[place].start == start && (words.contains(quote) || quote.contains(words))
        }
        guard let known else {
            entries.append(Entry(clipping: Clipping(quote: words), start: start, end: end))
            return
        }
        entries[known].clipping.quote = words
        entries[known].end = end
    }

    private static func isNote(_ kind: Substring) -> Bool {
        let name = kind.prefix { $0 != "|" }.lowercased()
        return name.split { !$0.isLetter }.contains { notes.contains(String($0)) }
            || unspacedNotes.contains { name.contains($0) }
    }

    /// "- Your Highlight on page 5 | Location 100-101 | Added on Monday, 1 January 2024 10:00:00"
    private static func place(_ kind: Substring) -> (start: Int, end: Int) {
        let parts = kind.split(separator: "|", omittingEmptySubsequences: false)
        let text = parts.count > 1 ? parts[parts.count - 2] : kind
        let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        let digits = text.drop { !isDigit($0) }
        let start = digits.prefix(while: isDigit)
        let rest = digits.dropFirst(start.count)
        let end = rest.first == "-" ? rest.dropFirst().prefix(while: isDigit) : ""
        let first = Int(start) ?? 0
        return (first, Int(end) ?? first)
    }

    /// "The title (The author)". A title may have parentheses of its own.
    private static func title(_ line: Substring) -> String {
        let line = line.trimming { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard line.last == ")", let start = line.lastIndex(of: "("), !line[start...].dropLast().contains(")") else {
            return String(line)
        }
        return String(line[..<start].trimming(\.isWhitespace))
    }
}

extension Substring {
    /// The text without such characters at its ends.
    func trimming(_ isDropped: (Character) -> Bool) -> Substring {
        var text = drop(while: isDropped)
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}
