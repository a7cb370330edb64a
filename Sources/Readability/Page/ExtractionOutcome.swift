/// The result for a page: an article, the reason why there is none, or both if the article is incomplete.
public struct ExtractionOutcome: Equatable, Sendable {
    public var article: Article?
    public var interstitial: Interstitial?

    public init(article: Article? = nil, interstitial: Interstitial? = nil) {
        self.article = article
        self.interstitial = interstitial
    }
}
