/// One leased job.
public struct Job: Sendable, Equatable {
    public var id: Int
    public var userID: String
    public var linkID: String
    /// Times it was leased, this one included.
    public var attempt: Int
}

/// Why a job did not succeed.
public struct JobFailure: Error, Sendable, Equatable {
    /// A stable code, such as `timeout`.
    public var reason: String
    /// A sentence a person can read.
    public var message: String
    public var isRetryable: Bool
    /// What the site asked for.
    public var retryAfter: Duration?

    public init(reason: String, message: String, isRetryable: Bool, retryAfter: Duration? = nil) {
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }
}
