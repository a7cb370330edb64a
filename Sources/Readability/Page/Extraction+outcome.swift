import HTML

extension Extraction {
    /// An article's beginning before a wall is kept if it has at least this many letters of running text.
    private static let minBeginningLetters = 150

    /// Words of running text of a short article on a page full of links.
    private static let minWordsBesideLinks = 25

    /// Whether an article is text, and not the teasers of others: mostly paragraphs, and hardly any links.
    private static func isRunningText(_ article: Article) -> Bool {
        guard let document = try? Document(parsing: article.content), let body = document.body else { return false }
        let list = BlockList(body, in: document)
        let prose = list.blocks.reduce(0) { $0 + (BlockClassifier.isProse($1) ? $1.words : 0) }
        let linkedHeadings = list.blocks.count { $0.kind == .heading && $0.linkShare > 0.8 }
        return prose >= minWordsBesideLinks && linkedHeadings < 2
    }

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

    /// Extracts the article in mode `best`, and tells what became of each block of the page.
    public func explain(
        _ page: consuming Document, url: String
    ) -> (outcome: ExtractionOutcome, explanation: ExtractionExplanation) {
        let trace = ExtractionTrace()
        let outcome = outcome(of: page, url: url, status: nil, facts: nil, trace: trace)
        return (outcome, trace.explanation)
    }

    /// - Parameter facts: the page's metadata, if already known.
    func outcome(
        of page: consuming Document, url: String, status: Int?, facts: PageFacts?, trace: ExtractionTrace? = nil
    ) -> ExtractionOutcome {
        guard mode == .best else {
            let features = InterstitialFeatures(page)
            if let article = article(in: page, url: url) { return ExtractionOutcome(article: article) }
            return ExtractionOutcome(
                interstitial: InterstitialClassifier.classify(features, status: status)
                    ?? InterstitialClassifier.explain(features))
        }
        // Consumed below, so that the extraction changes the page in place instead of a copy.
        var page = page
        let overlays = Overlays.strip(&page)
        let features = InterstitialFeatures(page)
        let interstitial = InterstitialClassifier.classify(features, overlay: overlays, status: status)
        switch interstitial {
        case nil:
            let article = article(in: consume page, url: url, facts: facts, trace: trace)
            return ExtractionOutcome(
                article: article, interstitial: article == nil ? InterstitialClassifier.explain(features) : nil)
        case .subscriptionWall where InterstitialClassifier.proseBeforeWall(features) >= Self.minBeginningLetters:
            return ExtractionOutcome(
                article: article(in: consume page, url: url, facts: facts, trace: trace), interstitial: interstitial)
        case .index:
            var article = article(in: consume page, url: url, facts: facts, trace: trace)
            let isText = article.map(Self.isRunningText) ?? false
            // The page looks like a list of links, and what was found may be one of its teasers.
            article?.confidence = .low
            return isText ? ExtractionOutcome(article: article) : ExtractionOutcome(interstitial: interstitial)
        case .some: return ExtractionOutcome(interstitial: interstitial)
        }
    }
}
