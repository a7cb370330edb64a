import Text
import ZIP

/// The export of Omnivore: `metadata_*.json`, and for each entry `content/<slug>.html` and `highlights/<slug>.md`.
struct OmnivoreExport {
    private let archive: ImportedArchive
    private let metadata: [ZIPReader.Entry]
    private let now: Int

    init(_ archive: ImportedArchive, metadata: [ZIPReader.Entry], now: Int) {
        (self.archive, self.metadata, self.now) = (archive, metadata, now)
    }

    func read(_ emit: (ImportedEntry) throws -> Void) throws {
        let contents = archive.files(in: "content", ending: "html")
        let highlights = archive.files(in: "highlights", ending: "md")
        for file in metadata.sorted(by: { Self.number($0) < Self.number($1) }) {
            try JSONFile.read(try archive.open(file)) { _, value in
                guard case .object = value else { return }
                var entry = JSONFormats.omnivore(value, now: now)
                if let slug = value.text("slug") {
                    if let content = contents[slug] { entry.html = String(utf8OrLatin1: try archive.text(of: content)) }
                    if let marks = highlights[slug] {
                        entry.passages = QuotedPassages.read(String(utf8OrLatin1: try archive.text(of: marks)))
                    }
                }
                try emit(entry)
            }
        }
    }

    /// `metadata_20_to_40.json` comes after `metadata_0_to_20.json`, and before `metadata_100_to_120.json`.
    private static func number(_ entry: ZIPReader.Entry) -> Int {
        ImportedArchive.name(entry).split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
}

/// Highlights as quotations of Markdown, each followed by its note.
enum QuotedPassages {
    static func read(_ text: String) -> [ImportedEntry.Passage] {
        var passages: [ImportedEntry.Passage] = []
        var isQuoting = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix(">") {
                let quote = line.drop { $0 == ">" || $0 == " " }.trimmed
                // A blank line of the quotation separates its paragraphs.
                if quote.isEmpty { continue }
                if isQuoting {
                    passages[passages.count - 1].quote += "\n" + quote
                } else {
                    passages.append(.init(quote: quote))
                }
                isQuoting = true
            } else {
                isQuoting = false
                guard let last = passages.indices.last, !line.isEmpty, !line.hasPrefix("#") else { continue }
                if passages[last].note == nil {
                    passages[last].note = line
                } else {
                    passages[last].note?.append("\n" + line)
                }
            }
        }
        return passages.map { passage in
            var passage = passage
            passage.quote = withoutLabels(passage.quote)
            return passage
        }
    }

    /// Omnivore writes a link back and labels behind the passage: `[⤴️](https://…)  #label`.
    private static func withoutLabels(_ quote: String) -> String {
        guard let target = quote.firstRange(of: "](http"),
            let link = quote.unicodeScalars[..<target.lowerBound].lastIndex(of: "["),
            quote.distance(from: link, to: target.lowerBound) == 2
        else { return quote.trimmed }
        return quote[..<link].trimmed
    }
}
