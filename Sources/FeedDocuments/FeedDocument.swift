import JSON

/// A feed as a site publishes it: RSS 0.9x, 1.0 or 2.0, Atom or JSON Feed.
///
/// Feeds are often not well-formed, so the readers take what they understand and check nothing. Entities of a document
/// type are not expanded.
public struct FeedDocument: Equatable, Sendable {
    public var title: String?
    /// The address of the site.
    public var siteURL: String?
    /// In the order of the document, at most ``maxEntries``.
    public var entries: [Entry] = []

    /// The number of entries that are read of a longer feed.
    public static let maxEntries = 1_000

    public struct Entry: Equatable, Sendable {
        /// What identifies the entry in its feed.
        public var id: String
        public var url: String
        public var title: String?
        public var author: String?
        /// The language as the entry or its feed states it.
        public var language: String?
        /// Seconds since 1970.
        public var published: Int?
        public var categories: [String] = []
        /// A short plain text.
        public var summary: String?
        /// HTML; the whole article or its beginning.
        public var content: String?
        public var enclosure: Enclosure?
    }

    public struct Enclosure: Equatable, Sendable {
        public var url: String
        public var type: String?
        /// Seconds.
        public var duration: Int?
    }

    /// - Parameters:
    ///   - text: the document.
    ///   - url: where it was found.
    ///   - now: seconds since 1970; dates in the future are left out.
    /// - Returns: nil where the text is not a feed, and for a feed without an entry that is cut off.
    public init?(_ text: String, url: String, now: Int) {
        let bytes = Array(text.utf8)
        let start = bytes.first { $0 > 0x20 }
        let found =
            start == UInt8(ascii: "{")
            ? JSON(parsing: bytes).flatMap { FeedDocument(json: $0, url: url, now: now) }
            : XMLFeedReader(bytes, url: url, now: now).read()
        guard let found else { return nil }
        self = found
    }

    init() {}

    /// Whether a text begins as a feed in XML does.
    public static func isBegun(in text: String) -> Bool {
        XMLFeedReader(Array(text.utf8), url: "", now: 0).beginsFeed()
    }
}
