import HTML

extension Extraction {
    /// An article's beginning before a wall is kept if it has at least this many letters of running text.
    private static let minBeginningLetters = 150

    /// Returns the page's article, or the reason why it has none.
    ///
    /// The beginning of a subscribers-only article is kept and reported together with
    /// ``Interstitial/subscriptionWall``: the public part is better than nothing, and the reader learns that there is
    /// more. In mode `compat` nothing overrides Readability's article; the reason only explains a missing one.
    ///
    /// - Parameter status: the HTTP status, if known.
    public func outcome(of page: consuming Document, url: String, status: Int? = nil) -> ExtractionOutcome {
        outcome(of: page, url: url, status: status, facts: nil)
    }

    /// - Parameter facts: the page's metadata, if already known.
    func outcome(of page: consuming Document, url: String, status: Int?, facts: PageFacts?) -> ExtractionOutcome {
        guard mode == .best else {
            let features = InterstitialFeatures(page)
            if let article = article(in: page, url: url) { return ExtractionOutcome(article: article) }
            return ExtractionOutcome(
                interstitial: InterstitialClassifier.classify(features, status: status)
                    ?? InterstitialClassifier.explain(features))
        }
        var page = page
        let overlays = Overlays.strip(&page)
        let features = InterstitialFeatures(page)
        let interstitial = InterstitialClassifier.classify(features, overlay: overlays, status: status)
        switch interstitial {
        case nil:
            let article = article(in: page, url: url, facts: facts)
            return ExtractionOutcome(
                article: article, interstitial: article == nil ? InterstitialClassifier.explain(features) : nil)
        case .subscriptionWall where InterstitialClassifier.proseBeforeWall(features) >= Self.minBeginningLetters:
            return ExtractionOutcome(article: article(in: page, url: url, facts: facts), interstitial: interstitial)
        case .some: return ExtractionOutcome(interstitial: interstitial)
        }
    }
}
