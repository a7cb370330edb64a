import Charsets
import HTTPFetch
import Jobs
import Links

/// URL → Page: fetches a URL, follows redirects, and decodes the page to UTF-8.
struct ResolvePage {
    private let fetcher: Fetcher
    private let shared: SharedFetches

    init(_ fetcher: Fetcher, _ shared: SharedFetches = SharedFetches()) {
        (self.fetcher, self.shared) = (fetcher, shared)
    }

    /// - Returns: nil where the copy that the request names has not changed.
    func callAsFunction(_ request: FetchRequest) throws(SaveError) -> Page? {
        do {
            let fetched = try shared(request, by: fetcher.result).get()
            return fetched.isNotModified ? nil : Page(fetched)
        } catch { throw SaveError(error) }
    }
}

extension Page {
    /// Decodes a fetched page to UTF-8.
    init(_ fetched: FetchedPage) {
        url = fetched.finalURL
        contentType = fetched.contentType ?? ""
        html = fetched.isHTML ? Charsets.decode(fetched.body, headerLabel: fetched.charsetLabel).text : nil
        file = PageFile(fetched)
        validators = fetched.validators
    }
}

extension PageFile {
    /// Nil for HTML, and for files that are not read.
    init?(_ fetched: FetchedPage) {
        switch fetched.kind {
        case .html, .other, .unclear: return nil
        case .text, .markdown:
            let text = Array(Charsets.decode(fetched.body, headerLabel: fetched.charsetLabel).text.utf8)
            // Most servers send Markdown as plain text.
            let path = fetched.finalURL.prefix { $0 != "?" && $0 != "#" }.lowercased()
            let isMarkdown = fetched.kind == .markdown || path.hasSuffix(".md") || path.hasSuffix(".markdown")
            self = isMarkdown ? .markdown(text) : .plainText(text)
        case .pdf: self = .pdf(fetched.body)
        case .image: self = .medium(.image)
        case .audio: self = .medium(.audio)
        case .video: self = .medium(.video)
        }
    }
}

extension SaveError {
    /// - Parameter error: an error of the fetcher, whose class and message stay.
    init(_ error: FetchError) {
        guard error.message != FetchError.stopped.message else {
            self = .outage(JobFailure(reason: "fetcher", message: error.message))
            return
        }
        let shown = error.forUsers
        self = .failed(
            Failure(
                cause: JobFailure(reason: error.reason.rawValue, message: error.message),
                shown: shown == error ? nil : JobFailure(reason: shown.reason.rawValue, message: shown.message),
                isRetryable: shown.retryable, retryAfter: shown.retryAfter, host: HostRateLimiter.host(of: error.url),
                page: Page(refusal: error), beginning: error.beginning.map(Page.init),
                tellsPageIsGone: error.tellsPageIsGone))
    }
}

extension FetchError {
    /// Whether the page is gone. A refusal does not tell whether the page exists, and a page beyond a limit does exist.
    fileprivate var tellsPageIsGone: Bool {
        switch reason {
        case .httpError: ![401, 402, 403, 429].contains(status)
        case .tooLarge, .badEncoding, .notHTML: false
        default: true
        }
    }
}

extension Page {
    /// The page that the site sent with a refusal; nil where it sent none.
    fileprivate init?(refusal error: FetchError) {
        guard !error.page.isEmpty, let status = error.status.flatMap(UInt16.init(exactly:)) else { return nil }
        url = error.url
        contentType = "text/html"
        html = Charsets.decode(error.page, headerLabel: nil).text
        self.status = status
    }
}
