/// A saved link in a feed or a catalog.
public struct FeedEntry: Equatable, Sendable {
    /// A file that a page announces, such as the audio of a podcast.
    public struct Enclosure: Equatable, Sendable {
        public var address: String
        public var type: String
        /// Seconds.
        public var duration: Int?

        public init(address: String, type: String, duration: Int? = nil) {
            self.address = address
            self.type = type
            self.duration = duration
        }
    }

    /// The link's id, a UUID.
    public var id: String
    /// The page; nil if the link has no address of the web.
    public var page: String?
    /// The URL of the link in the web app.
    public var readingView: String?
    public var title: String
    public var author: String?
    /// When the link was saved.
    public var published: String
    /// When its article was stored, or else when the link was saved.
    public var updated: String
    public var summary: String?
    /// The article as HTML; nil while there is none.
    public var content: String?
    /// The language as a tag of BCP 47.
    public var language: String?
    /// The direction of the article where it is not from left to right: `rtl` or `auto`.
    public var direction: String?
    public var tags: [String] = []
    /// The URL of a small picture.
    public var picture: String?
    public var enclosure: Enclosure?

    public init(id: String, page: String?, title: String, published: String, updated: String) {
        self.id = id
        self.page = page
        self.title = title
        self.published = published
        self.updated = updated
    }

    /// What the entry of a feed leads to: the page, or the web app where there is none, as for a file.
    var destination: String? { page ?? readingView }

    var urn: String { "urn:uuid:" + id }

    /// The article in its direction.
    var directedContent: String? {
        content.map { content in direction.map { "<div dir=\"\($0)\">\(content)</div>" } ?? content }
    }
}
