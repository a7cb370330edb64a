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
        return Page(fetched)
    }
}

extension Page {
    /// Decodes what was fetched to UTF-8.
    init(_ fetched: FetchedPage) {
        url = fetched.finalURL
        contentType = fetched.contentType ?? ""
        html = fetched.isHTML ? Charsets.decode(fetched.body, headerLabel: fetched.charsetLabel).text : nil
    }
}

extension SaveError {
    /// - Parameter error: of the fetcher, whose class and sentence are kept.
    ///
    /// But for one thing: which names lead into our own network is for the admin to know. To the user a refused address,
    /// a name that leads nowhere and a site that does not answer are one, in words and in when they are tried again.
    init(_ error: FetchError) {
        guard error.message != FetchError.stopped.message else {
            self = .outage(JobFailure(reason: "fetcher", message: error.message))
            return
        }
        let isUnreachable =
            switch error.reason {
            case .blockedAddress, .dnsError: true
            case .connectionFailed: error.message == Self.unreachable.message
            default: false
            }
        self = .failed(
            Failure(
                cause: JobFailure(reason: error.reason.rawValue, message: error.message),
                shown: isUnreachable ? Self.unreachable : nil,
                isRetryable: isUnreachable || error.retryable, retryAfter: isUnreachable ? nil : error.retryAfter))
    }

    /// The fetcher's own words for a site that does not answer.
    private static let unreachable = JobFailure(
        reason: FetchError.Reason.connectionFailed.rawValue, message: "The site could not be reached.")
}

extension CanonicalLink {
    init(_ page: Page) { resolvedURL = removingTrackers(page.url) }
}
