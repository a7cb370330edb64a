import HTML

/// The export of KOReader as HTML: for each book a heading with its title, and for each passage an element with three
/// more in it: when and where, the passage, and the note if there is one.
enum KOReaderHTML {
    static func begins(_ text: String) -> Bool {
        let start = text.prefix(100).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    static func books(in text: String) throws(ClippingsFile.Failure) -> [ClippedBook] {
        let page: Document
        do {
            page = try Document(parsing: text)
        } catch {
            throw .damaged
        }
        guard let body = page.body, page.contains([.h2], below: body) else { throw .unknownFormat }
        var books: [ClippedBook] = []
        for title in page.elements([.h2], below: body) {
            var book = ClippedBook(title: rendered(title, page), clippings: [])
            var next = page.nextElement(title)
            while let element = next, page.tag(element) != .h2 {
                if let clipping = clipping(element, page) { book.clippings.append(clipping) }
                next = page.nextElement(element)
            }
            books.append(book)
        }
        return books
    }

    private static func clipping(_ element: NodeID, _ page: Document) -> Clipping? {
        let parts = page.childElements(element)
        guard page.tag(element) == .div, (2...3).contains(parts.count), parts.allSatisfy({ page.tag($0) == .div })
        else { return nil }
        return Clipping(quote: rendered(parts[1], page), note: parts.count > 2 ? rendered(parts[2], page) : "")
    }

    private static func rendered(_ node: NodeID, _ page: Document) -> String {
        String(TextRenderer().render(page, node)[...].trimming(\.isWhitespace))
    }
}
