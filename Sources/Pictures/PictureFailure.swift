/// Why a picture is not there: a code, a sentence for its user, and whether it may come another time.
struct PictureFailure: Error, Equatable, Sendable {
    var reason: String
    var message: String
    var isRetryable: Bool
    /// Seconds the site asked us to wait.
    var retryAfter: Int?
    /// What is ours to mend does not count as a try.
    var isOurs = false

    init(_ reason: String, _ message: String, isRetryable: Bool, retryAfter: Int? = nil, isOurs: Bool = false) {
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
        self.isOurs = isOurs
    }

    /// What keeps a picture from being written.
    init(storage message: String) { self.init("storage", message, isRetryable: true, isOurs: true) }
}
