import Charsets
import HTTPFetch
import Jobs
import Links

/// SavedURL → Page: fetches, follows, decodes to UTF-8.
struct ResolvePage {
    private let fetcher: Fetcher

    init(_ fetcher: Fetcher) { self.fetcher = fetcher }

    func callAsFunction(_ url: String) throws(SaveError) -> Page {
        let fetched: FetchedPage
        do {
            fetched = try fetcher.fetch(url)
        } catch {
            throw SaveError(error)
        }
        let html = fetched.isHTML ? Charsets.decode(fetched.body, headerLabel: fetched.charsetLabel).text : nil
        return Page(url: fetched.finalURL, contentType: fetched.contentType ?? "", html: html)
    }
}

extension SaveError {
    /// - Parameter error: of the fetcher, whose class and sentence are kept.
    ///
    /// But for one: that an address lies inside our own network is for the admin to know; to the user it is a site that
    /// cannot be reached.
    init(_ error: FetchError) {
        guard error.message != FetchError.stopped.message else {
            self = .outage(JobFailure(reason: "fetcher", message: error.message))
            return
        }
        let shown = error.reason == .blockedAddress ? Self.unreachable : nil
        self = .failed(
            Failure(
                cause: JobFailure(reason: error.reason.rawValue, message: error.message), shown: shown,
                isRetryable: error.retryable, retryAfter: error.retryAfter))
    }

    /// The fetcher's own words for a site that does not answer.
    private static let unreachable = JobFailure(
        reason: FetchError.Reason.connectionFailed.rawValue, message: "The site could not be reached.")
}

extension CanonicalLink {
    init(_ page: Page) { resolvedURL = removingTrackers(page.url) }
}
