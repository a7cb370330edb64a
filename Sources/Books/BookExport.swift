import Crypto
import Glibc
import PictureMessages
import Pictures
import Postgres

/// Writes a book of some articles to any file, for the command `lectern epub`.
public struct BookExport {
    public struct Summary: Sendable {
        public var bytes: Int
        /// SHA-256 of the file, in hexadecimal.
        public var hash: String
        public var articles: Int
        /// Pictures that the articles show, each address once for each article.
        public var pictures: Int
        /// The pictures that the book does not have, with the reason of each.
        public var skipped: [(source: String, reason: String)]
    }

    /// A link that has no article, or that does not exist.
    public struct NoArticle: Error, CustomStringConvertible {
        public var link: String
        public var description: String { "\(link) is not a link that has an article" }
    }

    private let reader: BookPictureReader
    private let run: ([SQL]) throws -> [Rows]

    /// - Parameters:
    ///   - pictures: the folder of the stored pictures.
    ///   - program: path of the program that reads pictures.
    ///   - run: runs statements as one transaction that sees the links.
    public init(pictures: String, program: String, run: @escaping ([SQL]) throws -> [Rows]) {
        reader = BookPictureReader(program: program, limits: PictureLimits(), folder: pictures)
        self.run = run
    }

    /// - Parameters:
    ///   - links: the ids of the links, in the order of the book. A book of one link has the bytes of its own book.
    ///   - path: the path of the file.
    public func write(_ links: [String], hasHighlights: Bool, to path: String) throws -> Summary {
        func article(_ link: String) throws -> SavedArticle {
            guard let article = try SavedArticle(link, run) else { throw NoArticle(link: link) }
            return article
        }
        var rest = links[...]
        let only = links.count == 1 ? try article(links[0]) : nil
        let order = BookMaker.Order(
            title: only?.article.title ?? "\(links.count) articles",
            identifier: only == nil ? Self.identifier(of: links) : links[0], form: only == nil ? .parts : .article,
            highlights: hasHighlights ? .with : .without)
        // The temporary file lies beside the final one, because a rename cannot cross file systems.
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let maker = BookMaker(folder: BookFolder(path: folder), reader: reader) {}
        defer { reader.endProcess() }
        let made = try maker.make(order) { try rest.popFirst().map { try only ?? article($0) } }
        let finished = try BookFolder.finish(made.file, mode: 0o600)
        guard rename(made.file, path) == 0 else { throw BookFolder.Failure(call: "rename", code: errno) }
        return Summary(
            bytes: finished.bytes, hash: finished.hash, articles: made.articles, pictures: made.counts.all,
            skipped: made.counts.skipped.map { ($0.source, $0.reason) })
    }

    /// The id of a book of several articles, which follows from theirs.
    private static func identifier(of links: [String]) -> String {
        let digest = Digest.hex(Digest.sha256(links.joined(separator: " ").utf8))
        // A UUID of version 8 (RFC 9562), whose bits are the application's.
        var digits = Array(digest.prefix(32))
        digits[12] = "8"
        digits[16] = "8"
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
