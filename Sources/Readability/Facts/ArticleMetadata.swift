/// What is known of an article beyond Readability's answer.
public struct ArticleMetadata: Equatable, Sendable {
    /// ISO 8601 with the page's own offset: `2024-05-06T07:08:09+02:00`.
    public var publishedAt: String?
    public var kind: PageKind
    /// Of the text.
    public var wordCount: Int
    /// Minutes; see ``ReadingTime``.
    public var readingTime: Int?
    /// Absolute addresses of the picture that stands for the page, of its site's icon, and the one the page calls its own.
    public var image: String?
    public var icon: String?
    public var canonical: String?
    public var enclosure: Enclosure?
    /// The page's host, without `www.`.
    public var domain: String?
    /// Sections and tags, as the page files it.
    public var categories: [String] = []

    /// As they stand in the article's JSON object, behind Readability's.
    var members: [JSON.Member] {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        func number(_ value: Int?) -> JSON { value.map { .number(Double($0)) } ?? .null }
        return [
            .init("publishedAt", text(publishedAt)), .init("kind", .string(kind.rawValue)), .init("wordCount", number(wordCount)),
            .init("readingTime", number(readingTime)), .init("image", text(image)), .init("icon", text(icon)), .init("canonical", text(canonical)),
            .init("enclosureUrl", text(enclosure?.url)), .init("enclosureType", text(enclosure?.type)),
            .init("enclosureDuration", number(enclosure?.duration)), .init("categories", .array(categories.map(JSON.string))),
        ]
    }
}
