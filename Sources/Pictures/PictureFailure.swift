import HTTPFetch

/// Why a picture is not there: a code, a sentence for its user, and whether it may come another time.
struct PictureFailure: Error, Equatable, Sendable {
    var reason: String
    var message: String
    var isRetryable: Bool
    /// Seconds the site asked us to wait.
    var retryAfter: Int?
    /// What is ours to mend does not count as a try.
    var isOurs = false
    /// What its user is told: less, where the rest is for the admin alone.
    var shownReason: String
    var shownMessage: String

    init(_ reason: String, _ message: String, isRetryable: Bool, retryAfter: Int? = nil, isOurs: Bool = false) {
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
        self.isOurs = isOurs
        shownReason = reason
        shownMessage = message
    }

    init(_ error: FetchError) {
        let told = error.forUsers
        self.init(error.reason.rawValue, error.message, isRetryable: told.retryable, retryAfter: told.retryAfter)
        shownReason = told.reason.rawValue
        shownMessage = told.message
    }

    /// What keeps a picture from being written.
    init(storage message: String) { self.init("storage", message, isRetryable: true, isOurs: true) }
}
