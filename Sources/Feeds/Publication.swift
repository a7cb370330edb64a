/// An article as a book in a catalog.
public struct Publication: Equatable, Sendable {
    public var entry: FeedEntry
    /// The URL of the EPUB.
    public var book: String
    /// The URL of its cover, a JPEG.
    public var cover: String
    /// The name of the site.
    public var publisher: String?
    /// When the page was published.
    public var issued: String?

    public init(_ entry: FeedEntry, book: String, cover: String, publisher: String?, issued: String?) {
        self.entry = entry
        self.book = book
        self.cover = cover
        self.publisher = publisher
        self.issued = issued
    }
}
