import JSON
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
            entry.title = row["title"]?.string.map { row.isSet("title_is_text") ? $0 : Entities.decoded($0) }
            entry.tags = tagsOfLinks[id] ?? []
            entry.collections = collections[id] ?? []
            entry.changed = row.time("updated_at", now: now)
            entry.archived = row.time("archived_at", now: now)
            entry.document = entry.url.flatMap { documents[$0] }
            if entry.document == nil, entry.url?.hasPrefix("urn:sha256:") == true {
                entry.problem = "The file of this document is not in the export."
            }
            addresses[id] = entry.url
            try emit(entry)
        }
        try add("public.notes", to: addresses, emit) { row, entry in entry.note = row.text("body") }
        try add("public.highlights", to: addresses, emit) { row, entry in
            guard let quote = row.text("quote") else { return }
            entry.passages = [
                .init(
                    quote: quote, note: row.text("note"), time: row.time("created_at", now: now),
                    color: row.text("color"))
            ]
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
            entry.published = row.time("published_at", "published_time", now: now)
        }
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
            entry.isAddition = true
            fill(row, &entry)
            try emit(entry)
        }
    }

    private func names(of table: String) throws -> [String: String] {
        var names: [String: String] = [:]
        try rows(of: table) { row in if let id = row.text("id") { names[id] = row.text("name") } }
        return names
    }

    /// The paths of the collections that are filled by hand.
    private func collectionsOfLinks() throws -> [String: [[String]]] {
        var known: [String: (name: String, parent: String?)] = [:]
        try rows(of: "public.collections") { row in
            if let id = row.text("id") { known[id] = (row.text("name") ?? "", row.text("parent_id")) }
        }
        var paths: [String: [[String]]] = [:]
        try rows(of: "public.collection_links") { row in
            guard let link = row.text("link_id"), var node = row.text("collection_id").flatMap({ known[$0] }) else {
                return
            }
            var path = [node.name]
            while let parent = node.parent.flatMap({ known[$0] }), path.count < 20 {
                path.insert(parent.name, at: 0)
                node = parent
            }
            paths[link, default: []].append(path)
        }
        return paths
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
