import Charsets
import FeedDocuments
import HTTPFetch

/// What the fetch of a feed has found.
enum FeedOutcome: Sendable {
    /// `movedTo`: the new address where the site has moved the feed for good.
    case unchanged(movedTo: String?)
    case document(FeedDocument, FetchedPage)
    /// A web page that names a feed.
    case page(naming: String)
    case failed(Failure)

    struct Failure: Equatable, Sendable {
        /// A sentence for the user.
        var reason: String
        /// The seconds that the site asked to wait.
        var retryAfter: Int?
        /// Whether another attempt would fail, too.
        var isFinal = false
    }

    /// - Parameter now: seconds since 1970.
    init(of result: Result<FetchedPage, FetchError>, now: Int) {
        switch result {
        case .failure(let error):
            let shown = error.forUsers
            self = .failed(
                Failure(reason: shown.message, retryAfter: error.retryAfter, isFinal: error.status == 410))
        case .success(let page) where page.isNotModified:
            self = .unchanged(movedTo: page.permanentURL)
        case .success(let page):
            let text = Charsets.decode(page.body, headerLabel: page.charsetLabel).text
            if let document = FeedDocument(text, url: page.finalURL, now: now) {
                self = .document(document, page)
            } else if FeedDocument.isBegun(in: text) {
                self = .failed(Failure(reason: "The feed is cut off or broken. It has no entries."))
            } else if !page.isHTML {
                self = .failed(Failure(reason: "The address leads to a file that is not a feed."))
            } else if let feed = FeedLinks.find(inPage: text, url: page.finalURL).first {
                self = .page(naming: feed)
            } else {
                self = .failed(Failure(reason: "The address leads to a web page that names no feed."))
            }
        }
    }

    var retryAfter: Int? { if case .failed(let failure) = self { failure.retryAfter } else { nil } }
}
