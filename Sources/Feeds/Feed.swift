/// A list of saved links for feed readers, in either format. Times are in RFC 3339.
public struct Feed: Equatable, Sendable {
    /// An IRI that never changes.
    public var id: String
    public var title: String
    /// The URL of the feed itself.
    public var address: String
    /// The URL of the web app.
    public var homePage: String
    public var entries: [FeedEntry]

    public init(id: String, title: String, address: String, homePage: String, entries: [FeedEntry]) {
        self.id = id
        self.title = title
        self.address = address
        self.homePage = homePage
        self.entries = entries
    }

    /// When the newest entry changed; the beginning of time for a feed without entries. Times have the same length and
    /// zone, so their texts are in order.
    var updated: String { entries.map(\.updated).max() ?? "1970-01-01T00:00:00Z" }
}
