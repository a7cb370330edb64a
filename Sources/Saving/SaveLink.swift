import HTTPFetch
import Jobs
import Readability

/// The whole life of a saved link, one line a step; a failing step says why and decides nothing.
struct SaveLink {
    /// SavedURL → StoredState: what there is of the link already.
    var recall: (SavedURL) throws(SaveError) -> StoredState
    /// SavedURL → Page: the network, with all its limits; no page where the copy that is named has not changed. Nil: the job leaves
    /// the network alone.
    var resolve: ((SavedURL, Validators?) throws(SaveError) -> Page?)?
    /// Page → ExtractedPage: metadata, and an article or the reason why there is none. Fails only where the process fails that
    /// reads it.
    var read: (Page) throws(SaveError) -> ExtractedPage
    /// Page → CanonicalLink: pure.
    var canonicalise: (Page) -> CanonicalLink
    /// One transaction; the same again gives the same rows.
    var store: (SavedURL, CanonicalLink?, StoredState, SaveOutcome) throws(SaveError) -> Void
    /// Somebody asked for it, and is told what is wrong with the page.
    var isAsked = true

    func callAsFunction(_ saved: SavedURL) throws(SaveError) -> SaveOutcome {
        let kept = try recall(saved)
        let views = try look(at: saved, kept)
        var outcome = try choose(from: views, kept)
        // A page that is still worse, or has become so, is no news of a link that nobody looks at.
        if !isAsked, kept.article != nil { (outcome.view, outcome.stays) = (outcome.stored, nil) }
        let link = outcome.view.map { canonicalise($0.page) }
        try store(saved, link, kept, outcome)
        return outcome
    }

    /// The page as it is fetched, and as clients sent it; last what stands in its place, which tells nothing of it. One that
    /// cannot be had is no matter where another has an article, or was sent and says something.
    private func look(at saved: SavedURL, _ kept: StoredState) throws(SaveError) -> [PageView] {
        var views: [PageView] = []
        var failure: SaveError.Failure?
        do throws(SaveError) {
            if let page = try resolve?(saved, kept.copy) { views.append(try view(page, by: .server)) }
        } catch .failed(let reason) {
            failure = reason
        }
        for page in kept.unread {
            do throws(SaveError) { views.append(try view(page)) } catch .failed(let reason) { failure = failure ?? reason }
        }
        if let failure, !views.contains(where: { $0.reading.article != nil || $0.source == .client && $0.reading.tellsOfPage }) {
            throw .failed(failure)
        }
        return views.filter { !$0.reading.isOfAnother } + views.filter(\.reading.isOfAnother)
    }

    private func choose(from views: [PageView], _ kept: StoredState) throws(SaveError) -> SaveOutcome {
        let origin = try kept.origin.flatMap { page throws(SaveError) in try again(page) }
        var outcome = SaveOutcome(pages: views + (origin.map { [$0] } ?? []))
        let renewed = origin.flatMap { ($0.facts?.isWhole ?? false) || kept.article?.isWhole == false ? $0 : nil }
        guard !views.isEmpty else {
            outcome.view = renewed
            outcome.stored = renewed
            return outcome
        }
        let choice = PageChoice.best(of: views.map(\.facts))
        outcome.view = views[choice.index]
        guard let facts = views[choice.index].facts else {
            outcome.stored = renewed
            return outcome
        }
        switch Replacement.decide(facts, insteadOf: kept.article.map { $0.kept(readAgain: renewed?.facts) }) {
        case .store:
            outcome.stored = outcome.view
            outcome.reason = choice.reason
        case .keep(let why):
            outcome.stored = renewed
            outcome.stays = why
        }
        return outcome
    }

    /// The page that the article of before was made from, read by this extractor; nil where that finds no article, or fails.
    private func again(_ page: StoredPage) throws(SaveError) -> PageView? {
        do throws(SaveError) { return try view(page) } catch .failed { return nil }
    }

    private func view(_ page: Page, by source: PageSource) throws(SaveError) -> PageView {
        PageView(source: source, page: page, reading: try read(page))
    }

    private func view(_ kept: StoredPage) throws(SaveError) -> PageView {
        var view = try view(kept.page, by: kept.source)
        view.place = kept.place
        return view
    }
}

/// What a client saved.
struct SavedURL: Sendable, Equatable {
    var linkID: String
    var userID: String
    /// As given, untouched.
    var url: String
}

/// What the URL led to.
struct Page: Sendable, Equatable {
    /// Where the chain of redirects ended.
    var url: String
    /// Media type without parameters, in lower case.
    var contentType: String
    /// The page as UTF-8; nil when it is no HTML.
    var html: String?
    /// What is no HTML and can be read all the same.
    var file: PageFile?
    /// Of HTTP, where it is no success.
    var status: UInt16?
    /// With which to ask for it again.
    var validators: Validators?
}

/// The link as it is kept.
struct CanonicalLink: Sendable, Equatable {
    /// Where the chain ended, tracker parameters removed.
    var resolvedURL: String
}

/// What a page says of itself, and its article.
struct ExtractedPage: Sendable, Equatable {
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
    /// Address of the site's icon.
    var icon: String?
    /// The address the page calls its own: `rel=canonical`, else `og:url`. Absolute; believed by nobody yet.
    var canonical: String?
    /// Nil: there is none, and `missing` says why. Of a page that is over budget it is the plain text, of one for subscribers
    /// its beginning.
    var article: StoredArticle?
    var missing: MissingArticle?

    /// The page is another than the one that was saved, which is all that is known of that one.
    var isOfAnother: Bool { missing?.replacesSavedPage ?? false }

    /// It is that page, and more than an empty shell of it.
    var tellsOfPage: Bool {
        switch missing {
        case .behind(.empty), .behind(.needsScripts): false
        default: !isOfAnother
        }
    }
}

/// Why a step failed, and whether it may be tried again.
enum SaveError: Error, Sendable, Equatable {
    /// The page, or the way to it.
    case failed(Failure)
    /// Something of ours; the page is not to blame, and the job comes back without counting.
    case outage(JobFailure)
    /// The lease was lost, and with it the right to say anything: another has the job, or the link has another URL.
    case lostLease

    struct Failure: Sendable, Equatable {
        /// The true reason: for the admin, and for what is to be done.
        var cause: JobFailure
        /// What the link's owner is told; nil: the same.
        var shown: JobFailure?
        var isRetryable: Bool
        /// Seconds the site asked us to wait.
        var retryAfter: Int?
        /// The host at which the way ended.
        var host: String?
        /// What the site showed instead of the page.
        var page: Page?
        /// What came of the page before it broke off.
        var beginning: Page?
        /// It is the page that cannot be had, and neither the site that lets us not in nor something of ours.
        var tellsPageIsGone = false
    }
}
