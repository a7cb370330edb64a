import HTTPFetch

/// The reason a picture is missing: a code, a sentence for its user, and whether another attempt may succeed.
struct PictureFailure: Error, Equatable, Sendable {
    var reason: String
    var message: String
    var isRetryable: Bool
    /// The wait in seconds that the site asked for.
    var retryAfter: Int?
    /// Whether the server itself failed. The attempt does not count.
    var isServerFailure = false
    /// What the user sees. Details for the admin alone are left out.
    var shownReason: String
    var shownMessage: String

    init(
        _ reason: String, _ message: String, isRetryable: Bool, retryAfter: Int? = nil, isServerFailure: Bool = false
    ) {
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
        self.isServerFailure = isServerFailure
        shownReason = reason
        shownMessage = message
    }

    init(_ error: FetchError) {
        let shown = error.forUsers
        self.init(error.reason.rawValue, error.message, isRetryable: shown.retryable, retryAfter: shown.retryAfter)
        shownReason = shown.reason.rawValue
        shownMessage = shown.message
    }

    /// The server cannot write pictures.
    init(storage message: String) { self.init("storage", message, isRetryable: true, isServerFailure: true) }

    static let invalidURL = PictureFailure(
        "invalid_url", "The image URL is not http or https.", isRetryable: false)
    static let interrupted = PictureFailure(
        "interrupted", "The server was stopped every time it read this picture.", isRetryable: false)
}
