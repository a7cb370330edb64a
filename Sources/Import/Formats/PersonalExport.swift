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
        var addresses: [String: String] = [:]
        try rows(of: "public.links") { row in
            guard let id = row.text("id") else { return }
            var entry = JSONFormats.own(row, now: now)
            entry.title = row["title"]?.string.map { row.isSet("title_is_text") ? $0 : Entities.decoded($0) }
            entry.tags = tagsOfLinks[id] ?? []
            entry.collections = collections[id] ?? []
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
        try add("public.articles", to: addresses, emit) { row, entry in entry.html = row.text("content") }
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
        try JSONFile.read(try archive.open(file)) { _, value in try body(value) }
    }
}
