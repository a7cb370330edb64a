import Text

/// The bookmarks file of Netscape, which browsers, Shaarli, linkding and Pinboard export.
///
/// Its lists are nested: `<DT><H3>` names the folder whose list follows, `<DT><A>` is a bookmark, `<DD>` its description.
struct BookmarksFile {
    private let now: Int
    private let emit: (ImportedEntry) throws -> Void
    /// The names of the open lists; nil for a list without a name, and for the folders that all bookmarks are in.
    private var folders: [String?] = []
    /// Open lists beyond ``maxDepth``.
    private var deeper = 0
    private var nextFolder: String?
    private var isFolderOfAll = false
    private var entry: ImportedEntry?
    private var text = ""
    private enum Part { case none, title, folder, description }
    private var part = Part.none

    static func read(_ pieces: @escaping Pieces, now: Int, _ emit: @escaping (ImportedEntry) throws -> Void) throws {
        var file = BookmarksFile(now: now, emit: emit)
        try MarkupFile.read(pieces) { try file.take($0) }
        try file.endEntry()
    }

    private init(now: Int, emit: @escaping (ImportedEntry) throws -> Void) {
        (self.now, self.emit) = (now, emit)
    }

    private mutating func take(_ token: MarkupToken) throws {
        switch token {
        case .text(let more): if part != .none, text.utf8.count < Self.maxText { text += more }
        case .comment: break
        case .start("a", let attributes):
            try endEntry()
            begin(.title)
            entry = entry(attributes)
        case .end("a"):
            guard part == .title else { break }
            let title = end()
            entry?.title = title
        case .start("h3", let attributes):
            try endEntry()
            isFolderOfAll = ["personal_toolbar_folder", "unfiled_bookmarks_folder"].contains { attributes[$0] != nil }
            begin(.folder)
        case .end("h3"):
            if part == .folder { nextFolder = end() }
        case .start("dl", _):
            try endEntry()
            if folders.count < Self.maxDepth {
                folders.append(isFolderOfAll ? nil : nextFolder)
            } else {
                deeper += 1
            }
            (nextFolder, isFolderOfAll) = (nil, false)
        case .end("dl"):
            try endEntry()
            if deeper > 0 { deeper -= 1 } else { _ = folders.popLast() }
        case .start("dd", _): if entry != nil { begin(.description) }
        case .start("dt", _), .end("dt"), .end("dd"): try endEntry()
        case .start("br", _): if part == .description { text += "\n" }
        case .start, .end: break
        }
    }

    private static let maxText = 2 << 20
    /// Folders in a folder. A collection holds no more, and lists that are deeper have no folder of their own.
    private static let maxDepth = 50

    private func entry(_ attributes: [String: String]) -> ImportedEntry {
        var entry = ImportedEntry(url: attributes["href"]?.trimmed)
        entry.time = ImportTime.read(attributes["add_date"] ?? attributes["time_added"], now: now)
        entry.tags = TagList.read(attributes["tags"] ?? attributes["data-tags"])
        entry.isRead = attributes["toread"]?.trimmed == "0" || attributes["archived"]?.trimmed == "1"
        let path = folders.compactMap { $0 }
        if !path.isEmpty { entry.collections = [path] }
        return entry
    }

    private mutating func begin(_ part: Part) {
        self.part = part
        text = ""
    }

    private mutating func end() -> String {
        defer { begin(.none) }
        return text
    }

    private mutating func endEntry() throws {
        guard var entry else { return begin(.none) }
        switch part {
        case .title: entry.title = text
        case .description: (entry.description, entry.note) = Self.description(text)
        case .folder, .none: break
        }
        begin(.none)
        self.entry = nil
        if entry.title?.trimmed == entry.url { entry.title = nil }
        // Firefox's saved searches and separators are not bookmarks.
        if entry.url?.hasPrefix("place:") == true { return }
        try emit(entry)
    }

    /// linkding writes notes into the description.
    private static func description(_ text: String) -> (String?, note: String?) {
        guard let open = text.firstRange(of: "[linkding-notes]"),
            let close = text[open.upperBound...].firstRange(of: "[/linkding-notes]")
        else { return (text.trimmed, nil) }
        return (
            (text[..<open.lowerBound] + text[close.upperBound...]).trimmed,
            text[open.upperBound..<close.lowerBound].trimmed
        )
    }
}
