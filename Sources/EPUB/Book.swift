/// A book of one or more articles.
public struct Book: Sendable {
    /// The identifier of the book for ever: `urn:uuid:` and an id.
    public var identifier: String
    public var title: String
    public var articles: [BookArticle]
    /// The pictures that the articles show. Those that none shows are left out.
    public var pictures: [BookPicture]
    /// The picture of the cover.
    public var cover: BookPicture?

    public init(
        identifier: String, title: String, articles: [BookArticle], pictures: [BookPicture] = [],
        cover: BookPicture? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.articles = articles
        self.pictures = pictures
        self.cover = cover
    }

    /// The book without what the user has marked and written.
    public var withoutHighlights: Book {
        var book = self
        for index in book.articles.indices {
            book.articles[index].highlights = []
            book.articles[index].note = nil
        }
        return book
    }

    /// The date of a book whose articles have none. A date of the clock would make each build another file, and readers
    /// lose their place in a file that has changed.
    static let unknownDate = "2000-01-01T00:00:00Z"

    /// The date of the newest article, in UTC with seconds.
    var date: String { articles.compactMap(\.published).max() ?? Self.unknownDate }

    /// The language of the articles: that of the first one that has one.
    var language: String { articles.lazy.compactMap(\.languageTag).first ?? LanguageTag.unknown }
}
