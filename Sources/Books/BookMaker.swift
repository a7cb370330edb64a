import Crypto
import EPUB
import FoundationEssentials
import Pictures
import ZIP

/// Makes the file of a book from saved articles.
struct BookMaker {
    let folder: BookFolder
    let reader: BookPictureReader
    /// Called before each picture; an error that it throws ends the making.
    let progress: () throws -> Void

    /// What became of the pictures of a book.
    struct PictureCounts: Equatable {
        /// Pictures that the articles show, each address once for each article.
        var all = 0
        var skipped: [Skipped] = []

        struct Skipped: Equatable {
            var source: String
            var reason: String
        }

        var included: Int { all - skipped.count }
    }

    struct Made {
        var counts: PictureCounts
        /// The unfinished files, in the work folder: one for each variant.
        var files: [String]
        var work: WorkFolder
    }

    /// The server cannot read pictures at the moment.
    struct PicturesUnavailable: Error, CustomStringConvertible {
        var description: String
    }

    /// Pictures of one book. An article has at most some hundred that are stored.
    private static let maxPictures = 5_000

    enum Variant { case plain, withHighlights }

    /// - Parameters:
    ///   - title: the title of the book.
    ///   - identifier: an id that never changes.
    ///   - variants: the files to write, from the same pictures.
    func make(
        _ articles: [SavedArticle], title: String, identifier: String, _ variants: [Variant]
    ) throws -> Made {
        let work = try folder.makeWorkFolder()
        var collected = CollectedPictures(work: work)
        var book = Book(identifier: "urn:uuid:\(identifier)", title: title, articles: [])
        for saved in articles {
            var article = saved.article
            for source in article.pictureSources {
                try progress()
                collected.counts.all += 1
                switch try picture(source, of: saved, &collected) {
                case .success(let index): article.pictures[source] = index
                case .failure(let why):
                    collected.counts.skipped.append(.init(source: Self.shown(source), reason: why.reason))
                }
            }
            book.articles.append(article)
        }
        book.pictures = collected.pictures
        book.cover = try cover(of: book, articles.first, work)
        var files: [String] = []
        for variant in variants {
            let file = "\(work.path)/book\(files.count).epub"
            try write(variant == .plain ? book.withoutHighlights : book, to: file)
            files.append(file)
        }
        return Made(counts: collected.counts, files: files, work: work)
    }

    private func write(_ book: Book, to file: String) throws {
        // The date of the entries is the same for all books: the articles have dates of their own.
        var zip = try ZIPFile(at: file, modified: 0)
        for entry in book.contents().files {
            if entry.isStored, entry.name.hasPrefix("OEBPS/images/") {
                var isRead = false
                try zip.add(entry.name) {
                    defer { isRead = true }
                    return isRead ? nil : try entry.content()
                }
            } else {
                try zip.add(entry.name, entry.content(), entry.isStored ? .stored : .deflated)
            }
        }
        try zip.write()
    }

    /// Characters of a title on a cover.
    private static let maxTitle = 250

    /// The cover, drawn in the confined process; nil where it cannot be drawn.
    private func cover(of book: Book, _ first: SavedArticle?, _ work: WorkFolder) throws -> BookPicture? {
        let picture = first?.coverAddress.flatMap { try? reader.stored(at: $0) } ?? []
        let site = book.articles.count == 1 ? book.articles[0].siteName ?? "" : ""
        do {
            let bytes = try reader.cover(
                title: String(book.title.prefix(Self.maxTitle)), site: String(site.prefix(80)), picture: picture)
            try work.write(bytes, to: "cover")
            return BookPicture(.jpeg) { try work.read("cover") }
        } catch let refusal as BookPictureReader.Refusal {
            if refusal.isServerFailure { throw PicturesUnavailable(description: refusal.message) }
            return nil
        }
    }

    private struct CollectedPictures {
        let work: WorkFolder
        var pictures: [BookPicture] = []
        /// The index of a picture by the hash of its bytes, and by the path of the stored file.
        var indexOfHash: [String: Int] = [:]
        var indexOfAddress: [String: Int] = [:]
        var counts = PictureCounts()
    }

    /// The picture at an address in the article, as an index of the book's pictures.
    private func picture(
        _ source: String, of saved: SavedArticle, _ collected: inout CollectedPictures
    ) throws -> Result<Int, BookPictureReader.Refusal> {
        let address = saved.pictures[source]
        if let address, let known = collected.indexOfAddress[address] { return .success(known) }
        do {
            guard collected.pictures.count < Self.maxPictures else {
                throw BookPictureReader.Refusal(reason: "too_many", message: "The book has too many pictures.")
            }
            let bytes = try file(source, address, saved)
            let hash = Digest.hex(Digest.sha256(bytes))
            let index = try collected.indexOfHash[hash] ?? Self.add(bytes, &collected)
            collected.indexOfHash[hash] = index
            if let address { collected.indexOfAddress[address] = index }
            return .success(index)
        } catch let refusal as BookPictureReader.Refusal {
            if refusal.isServerFailure { throw PicturesUnavailable(description: refusal.message) }
            return .failure(refusal)
        }
    }

    /// The file of a picture in a form that books may have: JPEG, PNG and GIF stay as they are.
    private func file(_ source: String, _ address: String?, _ saved: SavedArticle) throws -> [UInt8] {
        let bytes: [UInt8]
        if let address {
            bytes = try reader.stored(at: address)
        } else if source.hasPrefix("data:") {
            guard let comma = source.firstIndex(of: ","),
                let data = Data(base64Encoded: String(source[source.index(after: comma)...]))
            else { throw BookPictureReader.Refusal(reason: "unreadable", message: "The picture cannot be read.") }
            bytes = [UInt8](data)
            // The article's own bytes are decoded once, so that a broken file is not passed on.
            if BookPicture.Kind(bytes) != nil {
                _ = try reader.converted(bytes)
                return bytes
            }
        } else {
            throw BookPictureReader.Refusal(
                reason: saved.reasons[source] ?? "not_fetched", message: "The picture is not stored.")
        }
        return BookPicture.Kind(bytes) == nil ? try reader.converted(bytes) : bytes
    }

    private static func add(_ bytes: [UInt8], _ collected: inout CollectedPictures) throws -> Int {
        guard let kind = BookPicture.Kind(bytes) else {
            throw BookPictureReader.Refusal(reason: "unreadable", message: "The picture cannot be read.")
        }
        let index = collected.pictures.count
        let (work, name) = (collected.work, "picture\(index)")
        try work.write(bytes, to: name)
        collected.pictures.append(BookPicture(kind) { try work.read(name) })
        return index
    }

    /// An address as it is told: inline pictures by their beginning.
    private static func shown(_ source: String) -> String {
        source.hasPrefix("data:") ? String(source.prefix(32)) + "…" : source
    }
}
