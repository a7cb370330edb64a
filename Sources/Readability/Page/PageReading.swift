/// A page as it is stored: its metadata, and its article, safe to show.
public struct PageReading: Equatable, Sendable {
    public var metadata: PageMetadata
    /// nil if the page has no article.
    public var article: StoredArticle?
    /// The reason why the article is missing or incomplete.
    public var interstitial: Interstitial?

    public init(metadata: PageMetadata, article: StoredArticle?, interstitial: Interstitial? = nil) {
        self.metadata = metadata
        self.article = article
        self.interstitial = interstitial
    }
}
