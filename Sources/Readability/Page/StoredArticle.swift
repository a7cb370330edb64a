import Languages

/// An article that is ready to be stored and shown.
public struct StoredArticle: Equatable, Sendable {
    /// Empty if the page has none. Title, byline, excerpt and site name are single lines.
    public var title: String
    public var byline: String?
    /// Sanitized HTML.
    public var content: String
    public var textContent: String
    public var excerpt: String?
    public var siteName: String?
    public var lang: String?
    /// `ltr`, `rtl`, `auto` or nil.
    public var dir: String?
    /// As written.
    public var publishedTime: String?
    /// ISO 8601.
    public var publishedAt: String?
    /// UTF-16 code units of `textContent`.
    public var length: Int
    /// Words of `textContent`; see ``WordCount``.
    public var wordCount: Int
    /// Minutes; see ``ReadingTime``.
    public var readingTime: Int?
    public var confidence: ArticleConfidence

    public init(
        title: String, byline: String? = nil, content: String, textContent: String, excerpt: String? = nil,
        siteName: String? = nil, lang: String? = nil, dir: String? = nil, publishedTime: String? = nil, length: Int,
        wordCount: Int,
        readingTime: Int? = nil, publishedAt: String? = nil, confidence: ArticleConfidence = .normal
    ) {
        self.title = title
        self.byline = byline
        self.content = content
        self.textContent = textContent
        self.excerpt = excerpt
        self.siteName = siteName
        self.lang = lang
        self.dir = dir
        self.publishedTime = publishedTime
        self.length = length
        self.wordCount = wordCount
        self.readingTime = readingTime
        self.publishedAt = publishedAt
        self.confidence = confidence
    }

    /// The direction as it is stored; nil for other values.
    static func direction(_ written: String?) -> String? {
        written.map { $0.lowercased() }.flatMap { ["ltr", "rtl", "auto"].contains($0) ? $0 : nil }
    }

    /// The stated direction, or else that of the language.
    static func direction(stated: String?, lang: String?) -> String? {
        direction(stated) ?? lang.map(Languages.direction)
    }
}
