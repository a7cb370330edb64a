import Jobs

import Readability

/// The whole life of a saved link, one line a step; a failing step says why and decides nothing.
struct SaveLink {
    /// SavedURL → Page: the network, with all its limits.
    var resolve: (SavedURL) throws(SaveError) -> Page
    /// Page → CanonicalLink: pure.
    var canonicalise: (Page) -> CanonicalLink
    /// Page → Reading: metadata, and an article or the reason why there is none. Fails only where the process fails that
    /// reads it.
    var read: (Page) throws(SaveError) -> Reading
    /// One transaction; the same again gives the same rows.
    var store: (SavedURL, CanonicalLink, Reading) throws(SaveError) -> Void

    func callAsFunction(_ saved: SavedURL) throws(SaveError) -> Reading {
        let page = try resolve(saved)
        let link = canonicalise(page)
        let reading = try read(page)
        try store(saved, link, reading)
        return reading
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
}

/// The link as it is kept.
struct CanonicalLink: Sendable, Equatable {
    /// Where the chain ended, tracker parameters removed.
    var resolvedURL: String
}

/// What a page says of itself, and its article.
struct Reading: Sendable, Equatable {
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
    var isOfAnother: Bool { missing?.standsForAnother ?? false }
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
        /// What the site showed instead of the page.
        var page: Page?
    }
}
