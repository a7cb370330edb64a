/// The reason a fetch failed: a stable code for programs and a sentence for people.
public struct FetchError: Error, Sendable, Equatable {
    /// The error codes, which are stable names of the interface.
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
    /// Whether a later attempt may succeed.
    public var retryable: Bool
    /// The seconds that the site asked to wait.
    public var retryAfter: Int?
    /// The URL of the hop that failed.
    public var url: String
    /// The HTTP status of the last response, if there was one.
    public var status: Int?
    public var hops: Int
    public var seconds: Double
    /// The first part of the HTML page of a response that denies access. It may say what the site requires.
    public var page: [UInt8] = []
    /// The first part of an HTML page that is incomplete. Its head may contain the title. Nil if nothing arrived.
    public var beginning: FetchedPage?

    /// - Parameter retryable: nil selects the default of the reason. The default of `http_error` depends on the status.
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
    /// The error that users see. Only the admin may learn which names lead into the service's own network. To users a
    /// blocked address, a name that does not resolve and an unreachable site look the same, in their message and in
    /// their retries.
    public var forUsers: FetchError {
        let isUnreachable =
            reason == .connectionFailed && (message == Self.unreachable || message.hasPrefix(Self.refusalOfProxy))
        guard [.blockedAddress, .dnsError].contains(reason) || isUnreachable else { return self }
        return FetchError(.connectionFailed, Self.unreachable, url: url, hops: hops, seconds: seconds)
    }

    static let unreachable = "The site could not be reached."

    /// The error of a proxy that answered `CONNECT` with this status.
    static func proxyRefused(_ status: Int) -> FetchError {
        FetchError(.connectionFailed, "\(refusalOfProxy) (status \(status)).")
    }

    private static let refusalOfProxy = "The proxy did not connect to the site"

    /// The error of a status of 400 or above.
    static func answered(_ status: Int, retryAfter: Int?) -> FetchError {
        let words: [Int: String] = [
            401: "requires a login", 402: "requires payment", 403: "denies access to the page",
            404: "has no such page", 408: "timed out while waiting for the request", 410: "has removed the page",
            429: "received too many requests", 451: "does not show the page for legal reasons",
            500: "had an internal error",
            502: "received an invalid response from its own server", 503: "is temporarily unavailable",
            504: "received no response from its own server",
        ]
        let what = words[status] ?? (status >= 500 ? "had an internal error" : "rejected the request")
        return FetchError(.httpError, "The site \(what) (status \(status)).", retryAfter: retryAfter, status: status)
    }

    static let blockedScheme = FetchError(.blockedScheme, "Only http and https addresses can be fetched.")
    static let invalidURL = FetchError(.invalidURL, "This is not a web address.")
    /// The fetcher ended or had no memory to begin. The site did not cause it.
    public static let stopped = FetchError(.connectionFailed, "The fetcher stopped before the page arrived.")
}
