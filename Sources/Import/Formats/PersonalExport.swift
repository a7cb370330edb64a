import JSON
import Search
import ZIP

/// The personal export of Lectern: a JSON file for each table. The rows of other tables refer to links by their ids.
struct PersonalExport {
    private let archive: ImportedArchive
    private let now: Int

    init(_ archive: ImportedArchive, now: Int) { (self.archive, self.now) = (archive, now) }

    func read(_ emit: (ImportedEntry) throws -> Void) throws {
        let tags = try names(of: "public.tags")
        var tagsOfLinks: [String: [String]] = [:]
        try rows(of: "public.link_tags") { row in
            guard let link = row.text("link_id"), let tag = row.text("tag_id").flatMap({ tags[$0] }) else { return }
            tagsOfLinks[link, default: []].append(tag)
        }
        let collections = try collectionsOfLinks()
        let documents = try documents()
        var addresses: [String: String] = [:]
        try rows(of: "public.links") { row in
            guard let id = row.text("id") else { return }
            var entry = JSONFormats.own(row, now: now)
            (entry.url, entry.takesAnyAddress) = (row["raw_url"]?.string, true)
            entry.title = row["title"]?.string
            entry.hasRawTitle = !row.isSet("title_is_text")
            entry.hasRawDescription = !row.isSet("description_is_text")
            entry.tags = tagsOfLinks[id] ?? []
            entry.collections = collections[id] ?? []
            entry.changed = row.time("updated_at", now: now)
            entry.archived = row.time("archived_at", now: now)
            entry.document = entry.url.flatMap { documents[$0] }
            // It has met the rules of the account that it comes from.
            entry.hasMetRules = row.text("state") == "ready"
            if entry.document == nil, entry.url?.hasPrefix("urn:sha256:") == true {
                entry.problem = "The file of this document is not in the export."
            }
            addresses[id] = entry.url
            try emit(entry)
        }
        try add("public.notes", to: addresses, emit) { row, entry in
            entry.note = row.text("body")
            entry.hasFavoriteNote = row.isSet("is_favorite")
        }
        try add("public.highlights", to: addresses, emit) { row, entry in
            guard let quote = row.text("quote") else { return }
            entry.passages = [
                .init(
                    quote: quote, note: row.text("note"), time: row.time("created_at", now: now),
                    color: row.text("color"))
            ]
        }
        try add("public.reading_progress", to: addresses, emit) { row, entry in
            entry.rows = [.init(kind: "progress", row: row.only(Self.progressColumns))]
        }
        try add("public.bookmarks", to: addresses, emit) { row, entry in
            entry.rows = [.init(kind: "bookmark", row: row.only(Self.bookmarkColumns))]
        }
        try add("public.articles", to: addresses, emit) { row, entry in
            // The article of a document is made of its file.
            guard entry.url?.hasPrefix("urn:") != true else { return }
            func text(_ key: String) -> String? {
                row.text(key).map { row.isSet("metadata_is_text") ? $0 : Entities.decoded($0) }
            }
            entry.html = row.text("content")
            (entry.title, entry.byline, entry.siteName) = (text("title"), text("byline"), text("site_name"))
            (entry.description, entry.lang, entry.image) = (text("excerpt"), row.text("lang"), row.text("image"))
            entry.direction = row.text("dir")
            entry.published = row.time("published_at", "published_time", now: now)
        }
        try readAccount(emit)
    }

    private static let progressColumns = [
        "content_hash", "last_read_character_index", "last_page_number", "total_pages", "percentage_complete",
        "last_updated",
    ]
    private static let bookmarkColumns = ["name", "quote", "start_offset", "created_at"]
    private static let feedColumns = [
        "url", "title", "list", "tags", "keep_words", "skip_words", "first_entries", "is_paused",
    ]

    /// Emits what belongs to the account and to no link, after the links.
    private func readAccount(_ emit: (ImportedEntry) throws -> Void) throws {
        func emitRow(_ kind: String, _ row: JSON) throws {
            var entry = ImportedEntry()
            entry.isAddition = true
            entry.rows = [.init(kind: kind, row: row)]
            try emit(entry)
        }
        try rows(of: "public.tags") { try emitRow("tag", $0.only(["name", "color"])) }
        let paths = try collectionPaths()
        try rows(of: "public.collections") { row in
            guard let path = row.text("id").flatMap({ paths[$0] }) else { return }
            var members = [JSON.Member("path", .array(path.map(JSON.string)))]
            if case .object(let kept) = row.only(["description", "query", "position"]) { members += kept }
            try emitRow("collection", .object(members + Self.tree(of: row)))
        }
        try rows(of: "public.rules") { row in
            let kept = row.only(["name", "query", "change", "enabled", "position"])
            guard case .object(let members) = kept else { return }
            try emitRow("rule", .object(members + Self.tree(of: row)))
        }
        try rows(of: "private.feeds") { row in
            guard case .object(var members) = row.only(Self.feedColumns) else { return }
            if let path = row.text("collection_id").flatMap({ paths[$0] }) {
                members.append(.init("path", .array(path.map(JSON.string))))
            }
            try emitRow("feed", .object(members))
        }
        try rows(of: "public.user_settings") { row in
            try emitRow(
                "settings",
                row.only([
                    "font_name", "font_size", "theme", "line_spacing", "speech_rate", "digest_schedule",
                    "ereader_email",
                ]))
        }
    }

    /// The parsed query of a row, as the database keeps it.
    private static func tree(of row: JSON) -> [JSON.Member] {
        guard let query = row.text("query"), let parsed = try? SearchQuery(parsing: query) else { return [] }
        return [.init("tree", parsed.json)]
    }

    /// The documents of the export by their addresses.
    private func documents() throws -> [String: ImportedEntry.Document] {
        guard let list = archive.entry(called: "files.json") else { return [:] }
        var documents: [String: ImportedEntry.Document] = [:]
        try values(of: list) { file in
            guard let path = file.text("path"), path.hasPrefix("documents/"), let hash = file.text("sha256"),
                let kind = file.text("type").flatMap(DocumentKind.init(rawValue:)), !file.isSet("missing")
            else { return }
            let document = ImportedEntry.Document(
                hash: hash, kind: kind, name: file.text("name") ?? hash, path: path)
            documents[document.url] = document
        }
        return documents
    }

    /// Emits what each row of a table adds to its link.
    private func add(
        _ table: String, to addresses: [String: String], _ emit: (ImportedEntry) throws -> Void,
        _ fill: (JSON, inout ImportedEntry) -> Void
    ) throws {
        try rows(of: table) { row in
            guard let url = row.text("link_id").flatMap({ addresses[$0] }) else { return }
            var entry = ImportedEntry(url: url)
            (entry.isAddition, entry.takesAnyAddress) = (true, true)
            fill(row, &entry)
            try emit(entry)
        }
    }

    private func names(of table: String) throws -> [String: String] {
        var names: [String: String] = [:]
        try rows(of: table) { row in if let id = row.text("id") { names[id] = row.text("name") } }
        return names
    }

    /// The paths of the collections that are filled by hand, by the links in them.
    private func collectionsOfLinks() throws -> [String: [[String]]] {
        let paths = try collectionPaths()
        var collections: [String: [[String]]] = [:]
        try rows(of: "public.collection_links") { row in
            guard let link = row.text("link_id"), let path = row.text("collection_id").flatMap({ paths[$0] }) else {
                return
            }
            collections[link, default: []].append(path)
        }
        return collections
    }

    /// The path of each collection, as names from the outermost on, by its id.
    private func collectionPaths() throws -> [String: [String]] {
        var known: [String: (name: String, parent: String?)] = [:]
        try rows(of: "public.collections") { row in
            if let id = row.text("id") { known[id] = (row.text("name") ?? "", row.text("parent_id")) }
        }
        return known.mapValues { collection in
            var (path, parent) = ([collection.name], collection.parent)
            while let node = parent.flatMap({ known[$0] }), path.count < 20 {
                path.insert(node.name, at: 0)
                parent = node.parent
            }
            return path
        }
    }

    private func rows(of table: String, _ body: (JSON) throws -> Void) throws {
        guard let file = archive.entry(at: "tables/\(table).json") else { return }
        try values(of: file, body)
    }

    /// Rows of the largest table. What other tables say of the links is in memory.
    private static let maxRows = 2_000_000

    private func values(of file: ZIPReader.Entry, _ body: (JSON) throws -> Void) throws {
        var count = 0
        try JSONFile.read(try archive.open(file)) { _, value in
            count += 1
            guard count <= Self.maxRows else {
                throw UnreadableFile("A table of this export has more than 2,000,000 rows.")
            }
            try body(value)
        }
    }
}

extension JSON {
    /// The object with these members alone, as far as they are there and not null.
    fileprivate func only(_ keys: [String]) -> JSON {
        .object(
            keys.compactMap { key in
                guard let value = self[key], value != .null else { return nil }
                return .init(key, value.storable)
            })
    }

    /// The value without what PostgreSQL cannot store.
    private var storable: JSON {
        switch self {
        case .string(let text): .string(ImportedEntry.clean(text, 10_000))
        case .array(let values): .array(values.map(\.storable))
        case .object(let members):
            .object(members.map { .init(ImportedEntry.clean($0.key, 200), $0.value.storable) })
        default: self
        }
    }
}
