/// `My Clippings.txt` of a Kindle: entries of four parts, the title, what it is and where, an empty line, and the text.
/// KOReader can write the same. The settings page has a parser of its own, `web/settings/clippings/kindle.js`.
enum KindleClippings {
    /// What a note is called in the languages of the Kindle.
    private static let notes: Set = ["note", "notiz", "nota", "notitie", "заметка"]
    private static let unspacedNotes = ["メモ", "笔记", "筆記"]
    /// Some languages have an en dash in ranges and before the kind.
    private static let dashes: Set<Character> = ["-", "–"]
    /// A note and its highlight follow each other closely, so a search among all of a book is not needed.
    private static let reach = 1_000

    private struct Entry {
        var clipping: Clipping
        var start: Int
        var end: Int
    }

    private struct Entries {
        var marked: [Entry] = []
        /// Notes whose highlight has not been read yet, with their places.
        var notes: [(words: String, end: Int)] = []
    }

    /// Whether a line separates entries.
    static func isSeparator(_ line: Substring) -> Bool {
        let line = line.trimming(\.isWhitespace)
        return line.utf8.count >= 8 && line.utf8.allSatisfy { $0 == UInt8(ascii: "=") }
    }

    static func books(in lines: [Substring]) -> [ClippedBook] {
        var headings: [String] = []
        var books: [String: Entries] = [:]
        for entry in lines.split(whereSeparator: isSeparator) {
            let parts = entry.drop { $0.allSatisfy(\.isWhitespace) }
            guard let heading = parts.first?.trimming({ $0.isWhitespace || $0 == "\u{FEFF}" }),
                let kind = parts.dropFirst().first
            else { continue }
            let words = parts.dropFirst(2).joined(separator: "\n")[...].trimming(\.isWhitespace)
            guard kind.drop(while: \.isWhitespace).first.map(dashes.contains) == true, !words.isEmpty else { continue }
            if books[String(heading)] == nil { headings.append(String(heading)) }
            add(String(words), kind, to: &books[String(heading), default: Entries()])
        }
        return headings.map { heading in
            ClippedBook(
                title: title(heading[...]), heading: heading,
                clippings: (books[heading]?.marked ?? []).map(\.clipping))
        }
    }

    /// A Kindle never changes an entry: a longer highlight, or another text of a note, is a new one at the same place.
    /// A note may stand before its highlight.
    private static func add(_ words: String, _ kind: Substring, to entries: inout Entries) {
        let (start, end) = place(kind)
        let recent = entries.marked.indices.suffix(reach)
        if isNote(kind) {
            if let place = recent.last(where: { entries.marked[$0].start <= end && entries.marked[$0].end >= end }) {
                entries.marked[place].clipping.note = words
            } else {
                entries.notes.append((words, end))
            }
            return
        }
        let known = recent.last { place in
            let quote = entries.marked[place].clipping.quote
            return entries.marked[place].start == start && (words.contains(quote) || quote.contains(words))
        }
        var entry = Entry(clipping: Clipping(quote: words), start: start, end: end)
        if let known { entry.clipping.note = entries.marked[known].clipping.note }
        if entry.clipping.note.isEmpty,
            let place = entries.notes.indices.suffix(reach).last(where: { place in
                (start...max(start, end)).contains(entries.notes[place].end)
            })
        {
            entry.clipping.note = entries.notes.remove(at: place).words
        }
        if let known { entries.marked[known] = entry } else { entries.marked.append(entry) }
    }

    private static func isNote(_ kind: Substring) -> Bool {
        let name = parts(kind).joined(separator: " ").lowercased()
        return name.split { !$0.isLetter }.contains { notes.contains(String($0)) }
            || unspacedNotes.contains { name.contains($0) }
    }

    /// What an entry is and where, without the date: "- Your Highlight on page 5", "Location 100-101".
    private static func parts(_ kind: Substring) -> ArraySlice<Substring> {
        let parts = kind.split(separator: "|", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts.dropLast() : parts[...]
    }

    /// The last place that an entry names: the location, or else the page. Chinese has both in one part:
    /// "- 您在第 5 页（位置 #100-101）的标注 | 添加于 2024年1月1日". Old Kindles shorten the end: "Loc. 1100-05".
    private static func place(_ kind: Substring) -> (start: Int, end: Int) {
        let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        var (start, end) = (Substring(), Substring())
        var rest = (parts(kind).last ?? "").drop { !isDigit($0) }
        // Without separators the date follows in the same part.
        let hasDate = !kind.contains("|")
        while !rest.isEmpty, !hasDate || start.isEmpty {
            start = rest.prefix(while: isDigit)
            rest = rest.dropFirst(start.count)
            end = rest.first.map(dashes.contains) == true ? rest.dropFirst().prefix(while: isDigit) : ""
            rest = rest.drop { dashes.contains($0) }.dropFirst(end.count).drop { !isDigit($0) }
        }
        let first = Int(start) ?? 0
        return (first, Int(start.prefix(max(0, start.count - end.count)) + end) ?? first)
    }

    /// "The title (The author)". A title may have parentheses of its own.
    private static func title(_ line: Substring) -> String {
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
