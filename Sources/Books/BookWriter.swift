import EPUB
import ZIP

/// Writes the EPUB of a book. Its finished pages lie in the work folder until then.
struct BookWriter {
    var book: Book
    private var pages: [StoredPage] = []

    private struct StoredPage {
        var name: String
        /// The file in the work folder.
        var file: String
        var bytes: Int
    }

    init(_ book: Book) { self.book = book }

    /// Adds an article. Its pictures are indexes of the pictures of the book.
    mutating func add(_ article: BookArticle, _ pictures: [BookPicture], _ work: WorkFolder) throws {
        for page in book.add(article, pictures: pictures) {
            let bytes = try page.content()
            pages.append(StoredPage(name: page.name, file: try work.write(bytes), bytes: bytes.count))
        }
    }

    /// Writes the book to a file.
    ///
    /// - Parameter progress: called before each entry; an error that it throws ends the writing.
    func write(
        to file: String, _ pictures: [BookPicture], _ work: WorkFolder, _ progress: @escaping () throws -> Void
    ) throws {
        // The date of the entries is the same for all books: the articles have dates of their own.
        var zip = try ZIPFile(at: file, modified: 0)
        let frame = book.frame(pictures: pictures)
        for entry in frame.front { try zip.add(entry.name, entry.content(), entry.isStored ? .stored : .deflated) }
        for page in pages { try zip.add(page.name, size: page.bytes, from: Self.once { try work.read(page.file) }) }
        for picture in frame.back {
            try zip.add(picture.name, .deflatedQuickly, from: Self.once(progress, picture.content))
        }
        try zip.write()
    }

    /// A producer of one piece.
    private static func once(
        _ before: @escaping () throws -> Void = {}, _ content: @escaping () throws -> [UInt8]
    ) -> () throws -> [UInt8]? {
        var isRead = false
        return {
            if isRead { return nil }
            isRead = true
            try before()
            return try content()
        }
    }
}
