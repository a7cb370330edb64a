/// Why a URL did not lead to a page: a class programs go by, and a sentence for people.
public struct FetchError: Error, Sendable, Equatable {
    /// The classes, stable names of the interface.
    public enum Reason: String, Sendable, CaseIterable {
        case blockedAddress = "blocked_address"
        case blockedScheme = "blocked_scheme"
        case invalidURL = "invalid_url"
        case tooManyRedirects = "too_many_redirects"
        case timeout = "timeout"
        case tooLarge = "too_large"
        case httpError = "http_error"
        case connectionFailed = "connection_failed"
        case dnsError = "dns_error"
        case badEncoding = "bad_encoding"
        case badResponse = "bad_response"
        case notHTML = "not_html"
    }

    public var reason: Reason
    /// One sentence for the person who saved the link.
    public var message: String
    /// Whether the same URL may well answer later.
    public var retryable: Bool
    /// Seconds the site asked us to wait.
    public var retryAfter: Int?
    /// The URL the chain had reached.
    public var url: String
    /// HTTP status of the last answer, if there was one.
    public var status: Int?
    public var hops: Int
    public var seconds: Double
    /// The HTML page that came with a refusal, as much of it as came at once; it may say what the site wants.
    public var page: [UInt8] = []
    /// The HTML page as far as it came, where it did not come to its end: its head may tell the title. Nil where nothing came.
    public var beginning: FetchedPage?

    /// - Parameter retryable: nil takes the class's own answer; `http_error` goes by its status.
    init(
        _ reason: Reason, _ message: String, retryable: Bool? = nil, retryAfter: Int? = nil, url: String = "",
        status: Int? = nil, hops: Int = 0, seconds: Double = 0
    ) {
        self.reason = reason
        self.message = message
        self.retryable = retryable ?? FetchError.isRetryable(reason, status: status)
        self.retryAfter = retryAfter
        self.url = url
        self.status = status
        self.hops = hops
        self.seconds = seconds
    }

    private static func isRetryable(_ reason: Reason, status: Int?) -> Bool {
        switch reason {
        case .timeout, .connectionFailed, .dnsError, .badResponse: true
        case .httpError: status.map { $0 >= 500 && $0 != 501 || [408, 421, 425, 429].contains($0) } ?? true
        case .blockedAddress, .blockedScheme, .invalidURL, .tooManyRedirects, .tooLarge, .badEncoding, .notHTML: false
        }
    }
}

extension FetchError {
    /// What users of a service are told. Which names lead into its own network is for the admin to know: to users a refused
    /// address, a name that leads nowhere and a site that does not answer are one, in words and in when they are tried again.
    public var forUsers: FetchError {
        guard [.blockedAddress, .dnsError].contains(reason) || reason == .connectionFailed && message == Self.unreachable else { return self }
        return FetchError(.connectionFailed, Self.unreachable, url: url, hops: hops, seconds: seconds)
    }

    static let unreachable = "The site could not be reached."

    /// A status of 400 and above.
    static func answered(_ status: Int, retryAfter: Int?) -> FetchError {
        let words: [Int: String] = [
            401: "asks for a login", 402: "asks for payment", 403: "refuses to show the page to us",
            404: "has no such page", 408: "was too slow to take the request", 410: "has removed the page",
            429: "asks us to slow down", 451: "may not show the page for legal reasons", 500: "had an error of its own",
            502: "is not reachable behind its front", 503: "is not available at the moment",
            504: "is not reachable behind its front",
        ]
        let what = words[status] ?? (status >= 500 ? "had an error of its own" : "refused the request")
        return FetchError(.httpError, "The site \(what) (status \(status)).", retryAfter: retryAfter, status: status)
    }

    static let refusedScheme = FetchError(.blockedScheme, "Only http and https addresses are fetched.")
    static let noURL = FetchError(.invalidURL, "This is not a web address.")
    /// The fetcher ended, or had no memory to begin: no fault of the site.
    public static let stopped = FetchError(.connectionFailed, "The fetcher was stopped before the page arrived.")
}
