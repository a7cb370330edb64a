/// The rows of CSV exports, by the names of their columns.
enum CSVFormats {
    /// `title,url,time_added,tags,status`, also with `cursor`; tags are separated by a bar.
    static func pocket(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url", "givenurl", "resolvedurl"], row["title"])
        entry.time = ImportTime.read(row["timeadded"], now: now)
        entry.tags = TagList.read(row["tags"], separatedBy: "|")
        entry.isRead = ["archive", "archived", "read"].contains(row["status"]?.trimmed.lowercased())
        entry.isStarred = row.isSet("favorite")
        return entry
    }

    /// `URL,Title,Selection,Folder,Timestamp,Tags`; the folders Unread, Archive and Starred are states.
    static func instapaper(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url"], row["title"])
        entry.description = row["selection"].map(decoded)
        entry.time = ImportTime.read(row["timestamp"], now: now)
        entry.tags = TagList.read(row["tags"])
        switch row["folder"]?.trimmed.lowercased() {
        case nil, "unread": break
        case "archive": entry.isRead = true
        case "starred": entry.isStarred = true
        default: entry.collections = [[decoded(row["folder"] ?? "")]]
        }
        return entry
    }

    /// Readwise Reader: `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`. Readwise's highlights:
    /// `Highlight,Title,Author,URL,Note,Location,Date`, and with `Book Title`, `Highlighted at`.
    static func readwise(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url", "sourceurl"], row["title", "booktitle"])
        entry.byline = row["author", "bookauthor"]
        entry.tags = TagList.read(row["documenttags"])
        guard let quote = row["highlight"] else {
            entry.time = ImportTime.read(row["saveddate"], now: now)
            entry.isRead = row["location"]?.trimmed.lowercased() == "archive"
            return entry
        }
        let time = ImportTime.read(row["date", "highlightedat"], now: now)
        entry.passages = [.init(quote: quote, note: row["note"], time: time, color: row["color"])]
        return entry
    }

    /// `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`.
    static func raindrop(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url", "link"], row["title"])
        entry.description = row["excerpt"].map(decoded)
        entry.note = row["note"]
        entry.time = ImportTime.read(row["created"], now: now)
        entry.tags = TagList.read(row["tags"])
        entry.isStarred = row.isSet("favorite", "important")
        entry.image = row["cover"]
        if let folder = row["folder"]?.trimmed, folder.lowercased() != "unsorted" {
            entry.collections = [folder.split(separator: "/").map { decoded($0.trimmed) }]
        }
        // Each highlight begins with this word, and its note, if any, with the other one.
        for part in (row["highlights"] ?? "").split(separator: "Highlight:") {
            let (quote, note) = parts(part, "Note:")
            if !quote.isEmpty { entry.passages.append(.init(quote: quote, note: note)) }
        }
        return entry
    }

    /// `Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last_Interaction_Date`.
    static func matter(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url"], row["title"])
        (entry.byline, entry.siteName) = (row["author"], row["publisher"])
        entry.tags = TagList.read(row["tags"]?.replacing(";", with: ","))
        entry.isStarred = row.isSet("favorited")
        entry.isRead = row.isSet("read") || row["inqueue"].map { $0.trimmed.lowercased() == "false" } ?? false
        entry.time = ImportTime.read(row["lastinteractiondate"], now: now)
        return entry
    }

    /// `url,title,tags,created_at,list,status,starred,note,collections`, and other tables with a column of addresses.
    static func own(_ row: CSVRow, now: Int) -> ImportedEntry {
        var entry = entry(row["url", "rawurl", "link", "href", "address"], nil)
        entry.isExact = row.has("list", "starred", "collections")
        entry.takesAnyAddress = row.has(
            "url", "title", "tags", "createdat", "list", "status", "starred", "note", "collections")
        entry.title = row["title", "name"].map { entry.isExact ? $0 : decoded($0) }
        entry.description = row["description", "excerpt"]
        entry.time = ImportTime.read(
            row["createdat", "created", "creationdate", "date", "timeadded", "added", "time"], now: now)
        entry.tags =
            entry.isExact ? EscapedList.read(row["tags"] ?? "") : TagList.read(row["tags", "labels", "keywords"])
        entry.isArchived = row["list"]?.trimmed.lowercased() == "archive"
        entry.isRead = ["read", "archive", "archived"].contains(row["status", "state"]?.trimmed.lowercased())
        entry.isStarred = row.isSet("starred", "isstarred", "favorite")
        entry.note = row["note", "notes"]
        let paths =
            entry.isExact
            ? EscapedList.parts(row["collections"] ?? "", separatedBy: ",") : TagList.read(row["collections"])
        entry.collections = paths.map(CollectionPath.read).filter { !$0.isEmpty }
        return entry
    }

    /// An entry whose title is no more than its address has no title.
    private static func entry(_ url: String?, _ title: String?) -> ImportedEntry {
        let url = url?.trimmed
        return ImportedEntry(url: url, title: title?.trimmed == url ? nil : title.map(decoded))
    }

    private static func parts(_ text: Substring, _ mark: String) -> (String, String?) {
        guard let range = text.firstRange(of: mark) else { return (text.trimmed, nil) }
        return (text[..<range.lowerBound].trimmed, text[range.upperBound...].trimmed)
    }

    private static func decoded(_ text: String) -> String { Entities.decoded(text) }
}

/// The names of nested collections in one text, from the outermost on, with a slash between them.
enum CollectionPath {
    static func read(_ text: String) -> [String] {
        EscapedList.parts(text, separatedBy: "/").map { EscapedList.plain($0).trimmed }.filter { !$0.isEmpty }
    }
}
