import HTML
import Links

/// A page as it is stored: what it says about itself, and its article, safe to show.
public struct PageReading: Equatable, Sendable {
    public var metadata: PageMetadata
    /// nil when the page has no article.
    public var article: StoredArticle?
    /// What stands in the article's place, or in front of its rest.
    public var interstitial: Interstitial?

    public init(metadata: PageMetadata, article: StoredArticle?, interstitial: Interstitial? = nil) {
        self.metadata = metadata
        self.article = article
        self.interstitial = interstitial
    }
}

/// An article ready to be stored and shown.
public struct StoredArticle: Equatable, Sendable {
    /// Empty when the page has none. Title, byline, excerpt and site name are one line each.
    public var title: String
    public var byline: String?
    /// HTML that went through the sanitizer.
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

    public init(
        title: String, byline: String? = nil, content: String, textContent: String, excerpt: String? = nil,
        siteName: String? = nil, lang: String? = nil, dir: String? = nil, publishedTime: String? = nil, length: Int, wordCount: Int,
        readingTime: Int? = nil, publishedAt: String? = nil
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
    }
}

/// Reads pages for storing.
public struct PageReader: Sendable {
    /// Raised when another build would store something else of the same page, so that articles can be extracted again.
    public static let version = 5

    public var extraction: Extraction
    public var budget: ParseBudget

    public init(extraction: Extraction = Extraction(), budget: ParseBudget = ParseBudget()) {
        self.extraction = extraction
        self.budget = budget
    }

    /// Reads a page in UTF-8; invalid bytes are replaced. Pure, and takes a few hundredths of a second a megabyte.
    ///
    /// - Parameters:
    ///   - url: where the page was found.
    ///   - status: of HTTP, where it is known.
    /// - Throws: ``HTML/ParseError`` when the page is beyond its budget (20 MiB, or mark-up made to exhaust parsers). No
    ///   other page fails.
    public func read(_ page: [UInt8], url: String, status: Int? = nil) throws(ParseError) -> PageReading {
        let document = try Document(parsing: page, budget: budget)
        let facts = PageFacts(document, url: url, now: extraction.now)
        let outcome = extraction.outcome(of: consume document, url: url, status: status, facts: facts)
        let article = try outcome.article.map { article throws(ParseError) in try store(article, url: url) }
        // A page that stands in another's place says nothing of that one.
        let isAnother = outcome.interstitial?.replacesSavedPage ?? false
        return PageReading(
            metadata: isAnother ? PageMetadata() : PageMetadata(facts, article: outcome.article), article: article, interstitial: outcome.interstitial)
    }

    public func read(_ page: String, url: String) throws(ParseError) -> PageReading {
        try read(Array(page.utf8), url: url)
    }

    /// Characters of an excerpt; without a description of the page it is all of the first paragraph.
    private static let excerptCharacters = 5_000
    /// Of a title, a byline, the name of a site.
    private static let lineCharacters = 1_000

    /// A page within its budget has an article within this one: references for signs and addresses made absolute make it
    /// longer, and empty elements that are closed now come with their ends.
    var articleBudget: ParseBudget {
        var budget = budget
        budget.sourceBytes *= 4
        budget.nodes *= 4
        // Without classes and menus an article has fewer bytes for each of its nodes than its page.
        budget.freeNodes = budget.nodes(ofSource: budget.sourceBytes)
        return budget
    }

    private func store(_ article: Article, url: String) throws(ParseError) -> StoredArticle {
        StoredArticle(
            title: OneLine.of(article.title, most: Self.lineCharacters) ?? "",
            byline: OneLine.of(article.byline, most: Self.lineCharacters),
            content: try Sanitizer(base: WebAddress(url), budget: articleBudget).sanitize(article.content),
            textContent: article.textContent,
            excerpt: OneLine.of(article.excerpt, most: Self.excerptCharacters),
            siteName: OneLine.of(article.siteName, most: Self.lineCharacters),
            lang: article.lang,
            dir: article.dir.map { $0.lowercased() }.flatMap { ["ltr", "rtl", "auto"].contains($0) ? $0 : nil },
            publishedTime: article.publishedTime,
            length: article.length,
            wordCount: article.facts?.wordCount ?? WordCount.of(article.textContent),
            readingTime: article.facts?.readingTime ?? ReadingTime.minutes(of: article.textContent),
            publishedAt: article.facts?.publishedAt)
    }
}
