/// The result of a job: which page the link describes, and which article is stored.
struct SaveOutcome: Sendable, Equatable {
    /// The page that the link describes; nil where no page was read, since none has changed.
    var chosen: ExtractedPage?
    /// The page whose article is stored: the chosen page, or the existing article's page, read again; nil where the
    /// existing article stays or there is no article.
    var stored: ExtractedPage?
    /// Why the page was chosen where there were others.
    var reason: PageChoice.Reason?
    /// Why the existing article stays although the chosen page has one too.
    var whyKept: Replacement.Why?
    /// All pages that were read.
    var pages: [ExtractedPage] = []

    init(chosen: ExtractedPage? = nil, stored: ExtractedPage? = nil, pages: [ExtractedPage] = []) {
        self.chosen = chosen
        self.stored = stored
        self.pages = pages
    }

    /// The pages to choose from: interstitials, which say nothing about the saved page, come last.
    ///
    /// - Parameter failure: why a page could not be fetched or read.
    /// - Throws: the failure, unless another page has an article, or a page that a client sent describes the link.
    static func usable(_ pages: [ExtractedPage], _ failure: SaveError.Failure?) throws(SaveError) -> [ExtractedPage] {
        if let failure, !pages.contains(where: { $0.article != nil || $0.page.source == .client && $0.tellsOfPage }) {
            throw .failed(failure)
        }
        return pages.filter { !$0.isOfAnother } + pages.filter(\.isOfAnother)
    }

    /// Chooses among the pages of a link.
    ///
    /// - Parameters:
    ///   - pages: as ``usable(_:_:)`` returns them.
    ///   - origin: the existing article's page, read by this extractor.
    ///   - isAwaited: whether the user asked for the job. If not, a page that is worse than the existing article
    ///     changes nothing.
    init(of pages: [ExtractedPage], origin: ExtractedPage?, _ state: StoredState, isAwaited: Bool) {
        self.pages = pages + (origin.map { [$0] } ?? [])
        let isOriginBetter = (origin?.quality?.isWhole ?? false) || state.article?.isWhole == false
        let renewed = isOriginBetter ? origin : nil
        stored = renewed
        if pages.isEmpty {
            chosen = renewed
        } else {
            let choice = PageChoice.best(of: pages.map(\.quality))
            chosen = pages[choice.index]
            if let quality = chosen?.quality {
                let existing = state.article.map { $0.existing(readAgain: renewed?.quality) }
                switch Replacement.decide(quality, insteadOf: existing) {
                case .store: (stored, reason) = (chosen, choice.reason)
                case .keep(let why): whyKept = why
                }
            }
        }
        if !isAwaited, state.article != nil { (chosen, whyKept) = (stored, nil) }
    }
}

extension SaveOutcome: CustomStringConvertible {
    /// For the log.
    var description: String {
        guard let chosen else { return "nothing new" }
        return chosen.missing?.name ?? whyKept?.code ?? "article"
    }
}
