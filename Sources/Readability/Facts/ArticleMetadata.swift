import JSON

/// The facts about an article that Readability's own result does not contain.
public struct ArticleMetadata: Equatable, Sendable {
    /// ISO 8601 with the page's own offset: `2024-05-06T07:08:09+02:00`.
    public var publishedAt: String?
    public var kind: PageKind
    /// The number of words in the article's text.
    public var wordCount: Int
    /// In minutes; see ``ReadingTime``.
    public var readingTime: Int?
    /// The absolute URLs of the preview picture, the site's icon and the canonical page.
    public var image: String?
    public var icon: String?
    public var canonical: String?
    public var enclosure: Enclosure?
    /// The page's host, without `www.`.
    public var domain: String?
    /// The sections and tags under which the page files the article.
    public var categories: [String] = []

    /// The members of the article's JSON object that follow Readability's own members.
    var members: [JSON.Member] {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        func number(_ value: Int?) -> JSON { value.map { .number(Double($0)) } ?? .null }
        return [
            .init("publishedAt", text(publishedAt)), .init("kind", .string(kind.rawValue)),
            .init("wordCount", number(wordCount)),
            .init("readingTime", number(readingTime)), .init("image", text(image)), .init("icon", text(icon)),
            .init("canonical", text(canonical)),
            .init("enclosureUrl", text(enclosure?.url)), .init("enclosureType", text(enclosure?.type)),
            .init("enclosureDuration", number(enclosure?.duration)),
            .init("categories", .array(categories.map(JSON.string))),
        ]
    }
}
