import JSON

/// The export of KOReader as JSON: of one book, or of several.
enum KOReaderJSON {
    static func books(in file: JSON) -> [ClippedBook] {
        (file["documents"]?.array ?? [file]).compactMap { book in
            guard let entries = book["entries"]?.array else { return nil }
            let title = book["title"]?.string ?? ""
            return ClippedBook(
                title: title.isEmpty ? ClippingsFile.title(ofPath: book["file"]?.string ?? "") : title,
                clippings: entries.map { entry in
                    Clipping(
                        quote: entry["text"]?.string ?? "", note: entry["note"]?.string ?? "",
                        color: entry["color"]?.string.flatMap { ClippingsFile.colors[$0] })
                })
        }
    }
}
