import Readability

/// A page with its metadata and its article, checked and ready to be stored.
struct ExtractedPage: Sendable, Equatable {
    var page: Page
    var title: String?
    var description: String?
    var siteName: String?
    var image: String?
    var lang: String?
    var byline: String?
    /// ISO 8601.
    var publishedAt: String?
    var kind: PageKind?
    var enclosure: Enclosure?
    /// URL of the site's icon.
    var icon: String?
    /// The URL that the page names as its own: `rel=canonical`, else `og:url`. Absolute, and not verified.
    var canonical: String?
    /// Nil: there is no article, and `missing` has the reason. A page over budget has its plain text here, a page for
    /// subscribers its beginning.
    var article: StoredArticle?
    var missing: MissingArticle?

    /// Whether this is another page than the saved one, and says nothing about it.
    var isOfAnother: Bool { missing?.replacesSavedPage ?? false }

    /// Whether this is the saved page, and more than an empty shell of it.
    var tellsOfPage: Bool {
        switch missing {
        case .behind(.empty), .behind(.needsScripts): false
        default: !isOfAnother
        }
    }

    /// Nil: the page has no article.
    var quality: ArticleQuality? {
        article.map {
            ArticleQuality(source: page.source, text: $0.textContent, isWhole: !(missing?.isPartial ?? false))
        }
    }
}
