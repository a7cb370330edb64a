import JSON

/// The trees of bookmarks in the JSON files of Chrome and Firefox.
enum BookmarkTree {
    /// Bytes of the largest file; it is in memory as a whole.
    static let limit = 64 << 20

    static func chrome(_ json: JSON, now: Int, _ emit: (ImportedEntry) throws -> Void) throws {
        guard case .object(let roots) = json["roots"] else {
            throw UnreadableFile("This is not a file of bookmarks of Chrome: it has no roots.")
        }
        for root in roots { try children(root.value, in: [], now: now, emit) }
    }

    private static func children(
        _ folder: JSON, in path: [String], now: Int, _ emit: (ImportedEntry) throws -> Void
    ) throws {
        for child in folder.objects("children") {
            guard let url = child.text("url") else {
                try children(child, in: path + [child.text("name") ?? ""], now: now, emit)
                continue
            }
            var entry = ImportedEntry(url: url, title: child.text("name"))
            entry.time = ImportTime.readSince1601(child.text("date_added"), now: now)
            if !path.isEmpty { entry.collections = [path] }
            try emit(entry)
        }
    }

    /// Firefox's backup. The root folders have names of their own, which are left out.
    static func firefox(_ json: JSON, now: Int, _ emit: (ImportedEntry) throws -> Void) throws {
        try nodes(of: json, in: nil, now: now, emit)
    }

    private static func nodes(
        of folder: JSON, in path: [String]?, now: Int, _ emit: (ImportedEntry) throws -> Void
    ) throws {
        for child in folder.objects("children") {
            if let url = child.text("uri") {
                guard !url.hasPrefix("place:") else { continue }
                var entry = ImportedEntry(url: url, title: child.text("title"))
                entry.time = child.time("dateAdded", now: now)
                entry.tags = TagList.read(child.text("tags"))
                if let path, !path.isEmpty { entry.collections = [path] }
                try emit(entry)
            } else if child["children"] != nil {
                // Below the root lie the menu, the toolbar and other roots.
                try nodes(of: child, in: path.map { $0 + [child.text("title") ?? ""] } ?? [], now: now, emit)
            }
        }
    }
}
