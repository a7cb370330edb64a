/// `metadata.epub.lua` of KOReader, the file beside a book.
enum KOReaderSidecar {
    static func book(in file: LuaTable) -> ClippedBook {
        let (properties, statistics) = (file["doc_props"], file["stats"])
        let titles = [
            properties?["title"]?.text, statistics?["title"]?.text,
            file["doc_path"]?.text.map(ClippingsFile.title(ofPath:)),
        ]
        // Since 2024 in one list, before that by page.
        let annotations = file["annotations"]?.values ?? []
        let isOld = annotations.isEmpty
        let entries = isOld ? (file["highlight"]?.values ?? []).flatMap(\.values) : annotations
        let notes = isOld ? notes(in: file["bookmarks"]?.values ?? []) : [:]
        return ClippedBook(
            title: titles.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? "",
            id: properties?["identifiers"]?.text.flatMap(identifier(in:)),
            clippings: entries.map { entry in
                // Without a drawer, it is a bookmark.
                let isMarked = isOld || entry["drawer"] != nil
                return Clipping(
                    quote: isMarked ? entry["text"]?.text ?? "" : "",
                    note: entry["note"]?.text ?? notes[entry["datetime"]?.text ?? ""] ?? "",
                    color: entry["color"]?.text.flatMap { ClippingsFile.colors[$0] })
            })
    }

    /// Older versions keep a note as the text of the bookmark that belongs to the highlight. Without a note, that is a
    /// text which KOReader makes: "Page 5 the quote @ 2020-01-01 10:00:00".
    private static func notes(in bookmarks: [LuaTable.Value]) -> [String: String] {
        var notes: [String: String] = [:]
        for bookmark in bookmarks {
            guard bookmark["highlighted"] == .bool(true), let time = bookmark["datetime"]?.text,
                let text = bookmark["text"]?.text, !text.isEmpty, !text.hasSuffix("@ \(time)")
            else { continue }
            notes[time] = text
        }
        return notes
    }

    /// The first UUID in a text, in lower case.
    private static func identifier(in text: String) -> String? {
        let bytes = Array(text.lowercased().utf8)
        let groups = [8, 4, 4, 4, 12]
        let length = 36
        func isIdentifier(at start: Int) -> Bool {
            var place = start
            for (number, group) in groups.enumerated() {
                if number > 0 {
                    guard bytes[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
                for _ in 0..<group {
                    guard (0x30...0x39).contains(bytes[place]) || (0x61...0x66).contains(bytes[place]) else {
                        return false
                    }
                    place += 1
                }
            }
            return true
        }
        guard bytes.count >= length, let start = (0...bytes.count - length).first(where: isIdentifier) else {
            return nil
        }
        return String(decoding: bytes[start..<start + length], as: UTF8.self)
    }
}
