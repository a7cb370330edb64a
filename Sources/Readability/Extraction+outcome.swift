import HTML

/// What a page came to: an article, what stands in its place, or both where an article is not all of it.
public struct ExtractionOutcome: Equatable, Sendable {
    public var article: Article?
    public var interstitial: Interstitial?

    public init(article: Article? = nil, interstitial: Interstitial? = nil) {
        self.article = article
        self.interstitial = interstitial
    }
}

extension Extraction {
    /// Letters of running text before a wall that are worth keeping.
    private static let shortestStub = 150

    /// The page's article, or why it has none.
    ///
    /// The beginning of an article that is for subscribers is kept, with ``Interstitial/subscriptionWall`` beside it: what
    /// everybody may read is better than nothing, and the reader is told that there is more. In mode `compat` nothing stands
    /// in the way of what Readability takes for an article; an interstitial only explains why there is none.
    ///
    /// - Parameter status: of HTTP, where it is known.
    public func outcome(of page: consuming Document, url: String, status: Int? = nil) -> ExtractionOutcome {
        outcome(of: page, url: url, status: status, facts: nil)
    }

    /// - Parameter facts: what the page says about itself, where that is known already.
    func outcome(of page: consuming Document, url: String, status: Int?, facts: PageFacts?) -> ExtractionOutcome {
        guard mode == .best else {
            let survey = InterstitialFeatures(page)
            if let article = article(in: page, url: url) { return ExtractionOutcome(article: article) }
            return ExtractionOutcome(interstitial: InterstitialClassifier.classify(survey, status: status) ?? InterstitialClassifier.explain(survey))
        }
        var page = page
        let overlays = Overlays.strip(&page)
        let survey = InterstitialFeatures(page)
        let interstitial = InterstitialClassifier.classify(survey, overlay: overlays, status: status)
        switch interstitial {
        case nil:
            let article = article(in: page, url: url, facts: facts)
            return ExtractionOutcome(article: article, interstitial: article == nil ? InterstitialClassifier.explain(survey) : nil)
        case .subscriptionWall where InterstitialClassifier.proseBeforeWall(survey) >= Self.shortestStub:
            return ExtractionOutcome(article: article(in: page, url: url, facts: facts), interstitial: interstitial)
        case .some: return ExtractionOutcome(interstitial: interstitial)
        }
    }
}
