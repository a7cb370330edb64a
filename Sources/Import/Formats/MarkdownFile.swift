import Text

/// A Markdown file with frontmatter: the text below it is the article.
enum MarkdownFile {
    static let limit = 10 << 20

    static func read(_ pieces: @escaping Pieces, now: Int) throws -> ImportedEntry {
        entry(String(utf8OrLatin1: try TextPieces.all(pieces, limit: limit)), now: now)
    }

    static func entry(_ text: String, now: Int) -> ImportedEntry {
        guard let matter = FrontMatterText(text) else {
            var entry = ImportedEntry()
            entry.problem = "The file has no frontmatter with the address (url) of its page."
            return entry
        }
        func value(_ names: String...) -> String? { names.lazy.compactMap { matter.values[$0]?.text }.first }
        func list(_ names: String...) -> [String] { names.lazy.compactMap { matter.values[$0]?.list }.first ?? [] }
        var entry = ImportedEntry(url: value("url", "source", "link")?.trimmed, title: value("title"))
        entry.isExact = true
        // Names that all files of Lectern have.
        entry.takesAnyAddress = ["bookmarked", "list", "status", "starred"].allSatisfy { matter.values[$0] != nil }
        if entry.url == nil { entry.problem = "The frontmatter has no address (url)." }
        entry.time = ImportTime.read(value("bookmarked", "saved", "created", "date", "created_at"), now: now)
        entry.description = value("excerpt", "description")
        (entry.byline, entry.siteName) = (value("author") ?? list("author").first, value("feed", "site", "domain"))
        (entry.lang, entry.image) = (value("lang"), value("image"))
        entry.tags = list("tags")
        if matter.values["tags"] == nil { entry.tags = list("categories") }
        entry.isArchived = value("list")?.lowercased() == "archive"
        entry.isRead = value("status")?.lowercased() == "read"
        entry.isStarred = ["true", "yes", "1"].contains(value("starred")?.lowercased())
        entry.collections = list("collections").map(CollectionPath.read)
        entry.note = value("note")
        entry.published = ImportTime.read(value("published"), now: now)
        var body = matter.body.trimmed
        if value("highlights").flatMap(Int.init) ?? 0 > 0, let heading = body.ranges(of: "## Highlights\n").last {
            entry.passages = QuotedPassages.read(String(body[heading.upperBound...])).map(Self.plain)
            body = body[..<heading.lowerBound].trimmed
        }
        if !body.isEmpty { (entry.html, entry.isMarkdown) = (body, true) }
        return entry
    }

    /// A highlight without the escapes of Markdown.
    private static func plain(_ passage: ImportedEntry.Passage) -> ImportedEntry.Passage {
        var passage = passage
        passage.quote = plain(passage.quote)
        passage.note = passage.note.map(plain)
        return passage
    }

    private static func plain(_ text: String) -> String {
        var (plain, isEscaped) = ("", false)
        for character in text {
            if isEscaped {
                if !(character.isPunctuation || character.isSymbol) { plain.append("\\") }
                plain.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                plain.append(character)
            }
        }
        return Entities.decoded(plain)
    }
}
