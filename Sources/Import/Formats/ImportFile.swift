import ImportFormats
import JSON

/// A file that is imported: its format, and how its entries are read.
struct ImportFile {
    typealias Emit = (ImportedEntry) throws -> Void

    let format: ImportFormat
    /// Calls its argument with each entry, in the order of the file.
    let read: (@escaping Emit) throws -> Void
    /// Opens a file that belongs to an entry, by its path; nil where there is none.
    var open: (String) throws -> Pieces? = { _ in nil }

    /// Recognises a file by its content, then by its name.
    ///
    /// - Parameters:
    ///   - given: the format that the user named.
    ///   - now: seconds since 1970.
    /// - Returns: nil for a file that may be a document.
    /// - Throws: ``UnreadableFile`` for a file of another format than the given one, or a damaged archive.
    static func recognise(_ path: String, name: String, as given: ImportFormat? = nil, now: Int) throws -> ImportFile? {
        guard given != .document else { return nil }
        let head = try Self.head(try FilePieces.of(path))
        if head.bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) || head.bytes.starts(with: Array("PK\u{5}\u{6}".utf8)) {
            if given == nil, DocumentKind(head: Array(head.bytes.prefix(DocumentKind.headLength)), name: name) == .epub
            {
                return nil
            }
            return try ImportedArchive(path).file(as: given, now: now)
        }
        if head.bytes.starts(with: Array("mozLz40\0".utf8)) {
            throw UnreadableFile("This is a compressed file of Firefox. Export the bookmarks as JSON or HTML instead.")
        }
        return try file(head, name: name, as: given, now: now) { try FilePieces.of(path) }
    }

    /// - Parameter open: opens the text from its beginning.
    static func file(
        _ head: (bytes: [UInt8], isWhole: Bool), name: String, as given: ImportFormat?, now: Int,
        open: @escaping () throws -> Pieces
    ) throws -> ImportFile? {
        let recognised = Recognition.format(head.bytes, isWhole: head.isWhole, name: name)
        guard let format = given ?? recognised else {
            let ending = name.lowercased().split(separator: ".").last ?? ""
            if Recognition.shape(head.bytes) != .binary, ["csv", "tsv", "json", "opml"].contains(ending) {
                throw UnreadableFile(
                    "Lectern does not recognise the format of this file. The parameter `format` or --format can name it."
                )
            }
            return nil
        }
        guard let reader = Self.reader(format, Recognition.shape(head.bytes)) else {
            throw UnreadableFile("This is not a file of the format \(format.rawValue).")
        }
        if reader == .table, !isTable(head.bytes) {
            throw UnreadableFile("The first line of this file names no column of addresses (url).")
        }
        return ImportFile(format: format) { emit in try read(reader, format, now: now, open, emit) }
    }

    /// The first bytes of a text, as UTF-8.
    static func head(_ pieces: @escaping Pieces) throws -> (bytes: [UInt8], isWhole: Bool) {
        let pieces = TextPieces.of(pieces)
        var bytes: [UInt8] = []
        while bytes.count < Recognition.headLength {
            guard let piece = try pieces() else { return (bytes, true) }
            bytes += piece
        }
        return (Array(bytes.prefix(Recognition.headLength)), false)
    }

    private static func isTable(_ head: [UInt8]) -> Bool {
        let addresses: Set = ["url", "rawurl", "link", "href", "givenurl", "resolvedurl", "highlight"]
        return !addresses.isDisjoint(with: CSVFile.header(head)?.names ?? [])
    }

    // MARK: - Readers

    private enum Reader { case table, bookmarks, headedLists, outline, values, tree, lines, markdown }

    /// How a format is read that is written in this way; nil where it never is.
    private static func reader(_ format: ImportFormat, _ shape: Recognition.Shape) -> Reader? {
        switch (format, shape) {
        case (.urls, .text): .lines
        case (.markdown, .text): .markdown
        case (.pocketCSV, .text), (.instapaper, .text), (.readwise, .text), (.raindrop, .text), (.matter, .text),
            (.lectern, .text), (.omnivore, .text), (.karakeep, .text), (.linkding, .text):
            .table
        case (.pocketHTML, .markup), (.instapaper, .markup): .headedLists
        case (.opml, .markup): .outline
        case (.netscape, .markup), (.shaarli, .markup), (.pinboard, .markup), (.linkding, .markup),
            (.chrome, .markup), (.firefox, .markup), (.raindrop, .markup), (.linkwarden, .markup), (.karakeep, .markup),
            (.lectern, .markup):
            .bookmarks
        case (.chrome, .json), (.firefox, .json): .tree
        case (.wallabag, .json), (.pinboard, .json), (.linkding, .json), (.raindrop, .json), (.karakeep, .json),
            (.omnivore, .json), (.linkwarden, .json), (.lectern, .json):
            .values
        default: nil
        }
    }

    private static func read(
        _ reader: Reader, _ format: ImportFormat, now: Int, _ open: () throws -> Pieces, _ emit: @escaping Emit
    ) throws {
        switch reader {
        case .table: try CSVFile.read(try open()) { try emit(entry($0, format, now: now)) }
        case .bookmarks: try BookmarksFile.read(try open(), now: now, emit)
        case .headedLists:
            try HeadedLists.read(try open(), isInstapaper: format == .instapaper, now: now, emit)
        case .outline: try OPMLFile.read(try open(), now: now, emit)
        case .lines: try AddressLines.read(try open(), emit)
        case .markdown: try emit(MarkdownFile.read(try open(), now: now))
        case .tree:
            guard let json = JSON(parsing: try TextPieces.all(try open(), limit: BookmarkTree.limit)) else {
                throw UnreadableFile("The JSON of this file is damaged or incomplete. Export it again.")
            }
            if format == .chrome {
                try BookmarkTree.chrome(json, now: now, emit)
            } else {
                try BookmarkTree.firefox(json, now: now, emit)
            }
        case .values: try values(format, now: now, open, emit)
        }
    }

    private static func entry(_ row: CSVRow, _ format: ImportFormat, now: Int) -> ImportedEntry {
        switch format {
        case .pocketCSV: CSVFormats.pocket(row, now: now)
        case .instapaper: CSVFormats.instapaper(row, now: now)
        case .readwise: CSVFormats.readwise(row, now: now)
        case .raindrop: CSVFormats.raindrop(row, now: now)
        case .matter: CSVFormats.matter(row, now: now)
        default: CSVFormats.own(row, now: now)
        }
    }

    private static func values(
        _ format: ImportFormat, now: Int, _ open: () throws -> Pieces, _ emit: Emit
    ) throws {
        // Lists may follow the bookmarks or lists that name them.
        let lists =
            switch format {
            case .karakeep: try NestedLists.read(try open(), member: "lists")
            case .linkwarden: try NestedLists.read(try open(), member: "collections")
            default: [:] as [String: [String]]
            }
        try JSONFile.read(try open()) { member, value in
            guard case .object = value else { return }
            switch format {
            case .wallabag: try emit(JSONFormats.wallabag(value, now: now))
            case .pinboard: try emit(JSONFormats.pinboard(value, now: now))
            case .omnivore: try emit(JSONFormats.omnivore(value, now: now))
            case .linkding where member == nil || member == "results":
                try emit(JSONFormats.linkding(value, now: now))
            case .raindrop where member == nil || member == "items": try emit(JSONFormats.raindrop(value, now: now))
            case .karakeep where member == nil || member == "bookmarks":
                try emit(JSONFormats.karakeep(value, lists: lists, now: now))
            case .linkwarden where member == "collections":
                for link in value.objects("links") {
                    var entry = JSONFormats.linkwarden(link, now: now)
                    let names = value.text("id").flatMap { lists[$0] } ?? [value.text("name") ?? ""]
                    let path = names.filter { !$0.isEmpty }
                    if !path.isEmpty, path != ["Unorganized"] { entry.collections = [path] }
                    try emit(entry)
                }
            case .lectern where member == nil || member == "links": try emit(JSONFormats.own(value, now: now))
            default: break
            }
        }
    }
}

/// The lists of karakeep, or the collections of Linkwarden, which may be in each other.
private enum NestedLists {
    private static let maxLists = 10_000

    /// The names of lists by their ids, from the outermost on.
    static func read(_ pieces: @escaping Pieces, member name: String) throws -> [String: [String]] {
        var lists: [String: (name: String, parent: String?)] = [:]
        try JSONFile.read(pieces) { member, value in
            guard member == name, lists.count < maxLists, let id = value.text("id") else { return }
            lists[id] = (value.text("name") ?? "", value.text("parentId"))
        }
        return lists.mapValues { list in
            var (path, next) = ([list.name], list.parent)
            while let id = next, let parent = lists[id], path.count < 20 {
                path.insert(parent.name, at: 0)
                next = parent.parent
            }
            return path
        }
    }
}
