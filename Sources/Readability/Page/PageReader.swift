import HTML
import Links

/// Reads pages and files for storing.
public struct PageReader: Sendable {
    /// Incremented when the stored result of the same page changes, so that articles can be extracted again.
    public static let version = 13

    public var extraction: Extraction
    public var budget: ParseBudget

    public init(extraction: Extraction = Extraction(), budget: ParseBudget = ParseBudget()) {
        self.extraction = extraction
        self.budget = budget
    }

    /// Reads a page in UTF-8; invalid bytes are replaced. Pure. Takes a few hundredths of a second per megabyte.
    ///
    /// - Parameters:
    ///   - url: the URL at which the page was found.
    ///   - status: the HTTP status, if known.
    /// - Throws: ``HTML/ParseError`` if the page exceeds its budget (20 MiB, or markup made to exhaust parsers). No
    ///   other page fails.
    public func read(_ page: [UInt8], url: String, status: Int? = nil) throws(ParseError) -> PageReading {
        let document = try Document(parsing: page, budget: budget)
        let facts = PageFacts(document, url: url, now: extraction.now)
        let outcome = extraction.outcome(of: consume document, url: url, status: status, facts: facts)
        let article = try outcome.article.map { article throws(ParseError) in try store(article, url: url) }
        // A page shown instead of the requested one has no metadata about that one.
        let isAnother = outcome.interstitial?.replacesSavedPage ?? false
        return PageReading(
            metadata: isAnother ? PageMetadata() : PageMetadata(facts, article: outcome.article), article: article,
            interstitial: outcome.interstitial)
    }

    public func read(_ page: String, url: String) throws(ParseError) -> PageReading {
        try read(Array(page.utf8), url: url)
    }

    /// Characters of an excerpt. Without a description the excerpt is the whole first paragraph.
    private static let excerptCharacters = 5_000
    /// Characters of a title, a byline or a site name.
    private static let lineCharacters = 1_000

    /// The budget for an article whose page was within its own. The article can be larger: character references,
    /// absolute URLs and end tags of empty elements add bytes.
    var articleBudget: ParseBudget {
        var budget = budget
        budget.sourceBytes *= 4
        budget.nodes *= 4
        // Without classes and menus an article has fewer bytes per node than its page.
        budget.freeNodes = budget.nodes(ofSource: budget.sourceBytes)
        return budget
    }

    private func store(_ article: Article, url: String) throws(ParseError) -> StoredArticle {
        let text = article.textContent.withoutSoftHyphens
        return StoredArticle(
            title: OneLine.of(article.title, limit: Self.lineCharacters) ?? "",
            byline: OneLine.of(article.byline, limit: Self.lineCharacters),
            content: try Sanitizer(base: WebAddress(url), budget: articleBudget).sanitize(
                article.content.withoutSoftHyphens),
            textContent: text,
            excerpt: OneLine.of(article.excerpt, limit: Self.excerptCharacters),
            siteName: OneLine.of(article.siteName, limit: Self.lineCharacters),
            lang: article.lang,
            dir: StoredArticle.direction(article.dir),
            publishedTime: article.publishedTime,
            length: text == article.textContent ? article.length : text.utf16.count,
            wordCount: article.facts?.wordCount ?? WordCount.of(text),
            readingTime: article.facts?.readingTime ?? ReadingTime.minutes(of: text),
            publishedAt: article.facts?.publishedAt, confidence: article.confidence ?? .normal)
    }
}
