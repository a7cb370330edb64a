/// OPML. Outlines without an address are folders.
enum OPMLFile {
    /// Folders in a folder. A collection holds no more, and outlines that are deeper have no folder of their own.
    private static let maxDepth = 50

    static func read(_ pieces: @escaping Pieces, now: Int, _ emit: (ImportedEntry) throws -> Void) throws {
        // The names of the open outlines; nil for one that is a link.
        var open: [String?] = []
        // Open outlines beyond them.
        var deeper = 0
        try MarkupFile.read(pieces) { token in
            guard case .start("outline", let attributes) = token else {
                guard token == .end("outline") else { return }
                if deeper > 0 { deeper -= 1 } else { _ = open.popLast() }
                return
            }
            let title = attributes["title"] ?? attributes["text"]
            let url = [attributes["htmlurl"], attributes["url"], attributes["xmlurl"]].lazy.compactMap { $0?.trimmed }
                .first { !$0.isEmpty }
            if open.count < maxDepth { open.append(url == nil ? title : nil) } else { deeper += 1 }
            guard let url else { return }
            let path = open.compactMap { $0 }
            var entry = ImportedEntry(url: url, title: title)
            entry.description = attributes["description"]
            entry.time = ImportTime.read(attributes["created"], now: now)
            entry.tags = TagList.read(attributes["category"]).map { String($0.drop { $0 == "/" }) }
            if !path.isEmpty { entry.collections = [path] }
            try emit(entry)
        }
    }
}
