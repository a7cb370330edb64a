import JSON

/// A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
public struct JSONFeed: Sendable {
    public static let contentType = "application/feed+json; charset=utf-8"

    private let feed: Feed

    public init(_ feed: Feed) { self.feed = feed }

    public var bytes: [UInt8] {
        Self.object([
            ("version", .string("https://jsonfeed.org/version/1.1")), ("title", .string(feed.title)),
            ("home_page_url", .string(feed.homePage)), ("feed_url", .string(feed.address)),
            ("items", .array(feed.entries.map(Self.item))),
        ]).bytes
    }

    private static func item(_ entry: FeedEntry) -> JSON {
        // Each item must have one of the two contents.
        let content: (String, JSON?) =
            entry.directedContent.map { ("content_html", .string($0)) }
            ?? ("content_text", .string(entry.summary ?? ""))
        return object([
            ("id", .string(entry.urn)), ("url", text(entry.destination)), ("title", .string(entry.title)), content,
            ("summary", text(entry.summary)), ("image", text(entry.picture)),
            ("date_published", .string(entry.published)), ("date_modified", .string(entry.updated)),
            ("authors", entry.author.map { .array([object([("name", .string($0))])]) }),
            ("tags", entry.tags.isEmpty ? nil : .array(entry.tags.map { .string($0) })),
            ("language", text(entry.language)), ("attachments", entry.enclosure.map { .array([attachment($0)]) }),
        ])
    }

    private static func attachment(_ file: FeedEntry.Enclosure) -> JSON {
        object([
            ("url", .string(file.address)), ("mime_type", .string(file.type)),
            ("duration_in_seconds", file.duration.map { .number(Double($0)) }),
        ])
    }

    private static func text(_ text: String?) -> JSON? { text.map { .string($0) } }

    /// An object of the members that have a value.
    private static func object(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { JSON.Member(name, $0) } })
    }
}
