/// OPML. Outlines without an address are folders.
enum OutlineFile {
    static func read(_ pieces: @escaping Pieces, now: Int, _ emit: (ImportedEntry) throws -> Void) throws {
        // The names of the open outlines; nil for one that is a link.
        var open: [String?] = []
        try MarkupFile.read(pieces) { token in
            guard case .start("outline", let attributes) = token else {
                if token == .end("outline") { _ = open.popLast() }
                return
            }
            let title = attributes["title"] ?? attributes["text"]
            let url = [attributes["htmlurl"], attributes["url"], attributes["xmlurl"]].lazy.compactMap { $0?.trimmed }
                .first { !$0.isEmpty }
            let path = open.compactMap { $0 }
            open.append(url == nil ? title : nil)
            guard let url else { return }
            var entry = ImportedEntry(url: url, title: title)
            entry.description = attributes["description"]
            entry.time = ImportTime.read(attributes["created"], now: now)
            entry.tags = TagList.read(attributes["category"]).map { String($0.drop { $0 == "/" }) }
            if !path.isEmpty { entry.collections = [path] }
            try emit(entry)
        }
    }
}
