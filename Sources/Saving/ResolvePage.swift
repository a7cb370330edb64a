import Charsets
import HTTPFetch
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
    /// - Parameter error: of the fetcher, whose class and sentence are kept, but for one: that an address lies inside
    ///   our own network is for the admin to know; to the user it is a site that cannot be reached.
    init(_ error: FetchError) {
        let shown: FetchError.Reason = error.reason == .blockedAddress ? .connectionFailed : error.reason
        self.init(
            reason: shown.rawValue,
            message: error.reason == .blockedAddress ? "The site could not be reached." : error.message,
            isRetryable: error.retryable, retryAfter: error.retryAfter)
    }
}

extension CanonicalLink {
    init(_ page: Page) { resolvedURL = removingTrackers(page.url) }
}
