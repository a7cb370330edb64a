import Crypto
import EPUB
import FoundationEssentials
import Pictures

/// Makes the file of a book from saved articles.
struct BookMaker {
    let folder: BookFolder
    let reader: BookPictureReader
    /// Called before each article, picture and file; an error that it throws ends the making.
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
        var counts = PictureCounts()
        /// The number of articles.
        var articles = 0
        /// The unfinished file in the work folder; without highlights unless they were asked for.
        var file: String
        /// The same with highlights, where both were asked for and an article has some.
        var markedFile: String?
        /// The file of the cover in the work folder; nil without one.
        var coverFile: String?
        var work: WorkFolder
    }

    /// What to make.
    struct Order {
        enum Highlights { case without, with, inSecondFile }

        var title: String
        /// An id that never changes.
        var identifier: String
        var form: Book.Form
        var highlights: Highlights
    }

    /// The server cannot read pictures at the moment.
    struct PicturesUnavailable: Error, CustomStringConvertible {
        var description: String
    }

    /// Pictures of one book. An article has at most some hundred that are stored.
    private static let maxPictures = 5_000
    /// Bytes of all pictures of a book.
    private static let maxPictureBytes = 500_000_000

    /// Makes a book. One article at a time is in memory.
    ///
    /// - Parameter next: reads the next article; nil after the last.
    func make(_ order: Order, next: () throws -> SavedArticle?) throws -> Made {
        let work = try folder.makeWorkFolder()
        var collected = CollectedPictures(work: work)
        var plain = BookWriter(Book(identifier: "urn:uuid:\(order.identifier)", title: order.title, form: order.form))
        var marked: BookWriter?
        var made = Made(file: "\(work.path)/book0.epub", work: work)
        var cover: (site: String?, address: String?)?
        while let saved = try next() {
            try progress()
            made.articles += 1
            let article = try withPictures(saved, &collected)
            cover = cover ?? (order.form == .article ? article.siteName : nil, saved.coverAddress)
            // Up to its first article with highlights, the book with them is the one without.
            if order.highlights == .inSecondFile, marked == nil, saved.hasHighlights { marked = plain }
            try marked?.add(article, collected.pictures, work)
            try plain.add(order.highlights == .with ? article : article.withoutHighlights, collected.pictures, work)
        }
        let picture = try self.cover(title: order.title, site: cover?.site ?? "", address: cover?.address, work)
        plain.book.cover = picture
        made.coverFile = picture.map { _ in "\(work.path)/\(Self.coverName)" }
        try plain.write(to: made.file, collected.pictures, work, progress)
        if var marked {
            marked.book.cover = picture
            made.markedFile = "\(work.path)/book1.epub"
            try marked.write(to: "\(work.path)/book1.epub", collected.pictures, work, progress)
        }
        made.counts = collected.counts
        return made
    }

    private func withPictures(_ saved: SavedArticle, _ collected: inout CollectedPictures) throws -> BookArticle {
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
        return article
    }

    /// Characters of a title on a cover.
    private static let maxTitle = 250
    /// The name of the cover in the work folder.
    private static let coverName = "cover"

    /// The cover, drawn in the confined process; nil where it cannot be drawn.
    private func cover(title: String, site: String, address: String?, _ work: WorkFolder) throws -> BookPicture? {
        let picture = address.flatMap { try? reader.stored(at: $0) } ?? []
        do {
            let bytes = try reader.cover(
                title: String(title.prefix(Self.maxTitle)), site: String(site.prefix(80)), picture: picture)
            try work.write(bytes, to: Self.coverName)
            return BookPicture(.jpeg) { try work.read(Self.coverName) }
        } catch let refusal as BookPictureReader.Refusal {
            if refusal.isServerFailure { throw PicturesUnavailable(description: refusal.message) }
            return nil
        }
    }

    private struct CollectedPictures {
        let work: WorkFolder
        var pictures: [BookPicture] = []
        var bytes = 0
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
        guard collected.bytes + bytes.count <= maxPictureBytes else {
            throw BookPictureReader.Refusal(reason: "too_many", message: "The book has too many pictures.")
        }
        collected.bytes += bytes.count
        let index = collected.pictures.count
        let (work, name) = (collected.work, "picture\(index)")
        try work.write(bytes, to: name)
        collected.pictures.append(BookPicture(kind) { try work.read(name) })
        return index
    }

    /// An address as reports show it: only the beginning of an inline picture.
    private static func shown(_ source: String) -> String {
        source.hasPrefix("data:") ? String(source.prefix(32)) + "…" : source
    }
}
