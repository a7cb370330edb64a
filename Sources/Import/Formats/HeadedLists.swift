/// The HTML exports of Pocket and Instapaper: headings with lists of links below them.
enum HeadedLists {
    /// - Parameter isInstapaper: whether a heading that is not a state names a folder.
    static func read(
        _ pieces: @escaping Pieces, isInstapaper: Bool, now: Int, _ emit: (ImportedEntry) throws -> Void
    ) throws {
        var (heading, lowered, text) = ("", "", "")
        var entry: ImportedEntry?
        try MarkupFile.read(pieces) { token in
            switch token {
            case .text(let more): if text.utf8.count < 2 << 20 { text += more }
            case .start("h1", _), .start("h2", _): text = ""
            case .end("h1"), .end("h2"):
                heading = text.trimmed
                lowered = heading.lowercased()
            case .start("a", let attributes):
                var link = ImportedEntry(url: attributes["href"]?.trimmed)
                link.time = ImportTime.read(attributes["time_added"], now: now)
                link.tags = TagList.read(attributes["tags"])
                switch lowered {
                case "", "unread", "home": break
                case "read archive", "archive", "read": link.isRead = true
                case "starred", "liked": link.isStarred = true
                default: if isInstapaper { link.collections = [[heading]] }
                }
                (entry, text) = (link, "")
            case .end("a"):
                guard var link = entry else { return }
                entry = nil
                link.title = text.trimmed == link.url ? nil : text
                try emit(link)
            case .start, .end, .comment: break
            }
        }
    }
}
