/// A book of one or more articles. It is made article by article, and keeps only what its table of contents and its
/// metadata need: the pages of an article are handed over as soon as they are made, so that a book of hundreds of
/// articles needs the memory of one.
///
/// Every function is pure: the same articles in the same order give the same files.
public struct Book: Sendable {
    /// How the articles are arranged.
    public enum Form: Sendable {
        /// The article is the book.
        case article
        /// Each article is a part of the book, and readers begin with the table of contents.
        case parts
    }

    /// The identifier of the book for ever: `urn:uuid:` and an id.
    public let identifier: String
    public let title: String
    public let form: Form
    /// The picture of the cover.
    public var cover: BookPicture?

    /// The articles without their contents.
    private(set) var articles: [BookArticle] = []
    /// The articles and their headings.
    private(set) var outline = Outline()
    /// The pages in their order.
    private(set) var pages: [Page] = []
    private(set) var hasPicturesWithoutText = false
    private(set) var usedPictures: Set<String> = []
    private var missing: Set<String> = []
    private var ids = BookIDs()

    /// The URLs of the pictures that the book does not have, each once.
    public private(set) var missingPictures: [String] = []

    struct Page: Sendable {
        var file: String
        var hasFormulas: Bool
    }

    public init(identifier: String, title: String, form: Form) {
        self.identifier = identifier
        self.title = title
        self.form = form
    }

    /// Adds an article.
    ///
    /// - Parameters:
    ///   - article: the article. Its `pictures` are indexes of `pictures`.
    ///   - pictures: the pictures of the book so far. They keep their indexes.
    /// - Returns: the pages of the article. They follow the pages of the articles before.
    public mutating func add(_ article: BookArticle, pictures: [BookPicture]) -> [BookFile] {
        let file = form == .article ? "index" : "article\(articles.count + 1)"
        let names = article.pictures.compactMapValues { index in
            pictures.indices.contains(index) ? Self.file(of: pictures[index], at: index) : nil
        }
        let titleID = ids.next()
        let parts = ArticleParts(article, file: file, pictures: names, ids: &ids)
        var fileOfID = [titleID: parts.parts[0].file]
        for part in parts.parts { Self.note(part.content, in: part.file, &fileOfID) }
        outline.add(
            article.shownTitle, target: parts.parts[0].file,
            headings: parts.headings.compactMap { heading in
                fileOfID[heading.id].map { (heading.level, heading.title, "\($0)#\(heading.id)") }
            })
        articles.append(article.withoutContent)
        hasPicturesWithoutText = hasPicturesWithoutText || parts.hasPicturesWithoutText
        usedPictures.formUnion(parts.usedPictures)
        for source in parts.missingPictures where missing.insert(source).inserted { missingPictures.append(source) }
        return parts.parts.enumerated().map { number, part in
            pages.append(Page(file: part.file, hasFormulas: parts.hasFormulas && Self.contains("math", part.content)))
            let header = number == 0 ? [ContentDocument.header(of: article, id: titleID)] : []
            let page = ContentDocument.page(
                title: article.shownTitle, language: article.languageTag, isRightToLeft: article.isRightToLeft,
                kind: "bodymatter", header + part.content)
            return BookFile("OEBPS/\(part.file)", ContentDocument.bytes(page, file: part.file, files: fileOfID))
        }
    }

    /// The date of a book whose articles have none. A date of the clock would make each build another file, and readers
    /// lose their place in a file that has changed.
    static let unknownDate = "2000-01-01T00:00:00Z"

    /// The date of the newest article, in UTC with seconds.
    var date: String { articles.compactMap(\.published).max() ?? Self.unknownDate }

    /// The language of the articles: that of the first one that has one.
    var language: String { articles.lazy.compactMap(\.languageTag).first ?? LanguageTag.unknown }

    /// Whether the book begins with text that runs from right to left. Its pages are turned that way.
    var isRightToLeft: Bool { articles.first?.isRightToLeft == true }

    /// The title, or that of the first article where there is none: a book must have one.
    var shownTitle: String {
        let line = XMLText.line(title, limit: BookArticle.maxTitle)
        return line.isEmpty ? articles.first?.shownTitle ?? identifier : line
    }

    /// Records the file of each id.
    private static func note(_ nodes: [Markup], in file: String, _ fileOfID: inout [String: String]) {
        for case .element(let element) in nodes {
            if let id = element["id"] { fileOfID[id] = file }
            note(element.children, in: file, &fileOfID)
        }
    }

    private static func contains(_ name: String, _ nodes: [Markup]) -> Bool {
        nodes.contains { node in
            guard case .element(let element) = node else { return false }
            return element.name == name || contains(name, element.children)
        }
    }
}
