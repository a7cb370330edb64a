/// Whether a failed job is worth another try, and when. Pure: chance comes in as an argument.
public struct RetryPolicy: Sendable {
    public enum Decision: Equatable, Sendable {
        case retry(after: Duration)
        case bury
    }

    /// First delay; doubles each attempt. 30 s rides out a restart of the remote site.
    public var base: Duration = .seconds(30)
    /// Longest delay of ours; a site's own Retry-After may be longer.
    public var longest: Duration = .seconds(6 * 3_600)
    public var attempts = 5
    /// Interruptions in a row after which a job is given up: eight restarts in a bad week are no fault of the page, and
    /// a page that kills the process does so eight times.
    public var interruptions = 8

    public init() {}

    public init(base: Duration, attempts: Int) {
        self.base = base
        self.attempts = attempts
    }

    /// - Parameters:
    ///   - attempt: how many tries there were, this one included.
    ///   - isRetryable: whether the failure may go away by itself.
    ///   - retryAfter: what the site asked for.
    ///   - chance: 0 to 1; spreads retries over half to one and a half of the delay, so that jobs which failed
    ///     together do not come back together.
    public func decide(
        afterAttempt attempt: Int, isRetryable: Bool, retryAfter: Duration? = nil, chance: Double
    ) -> Decision {
        guard isRetryable, attempt < attempts else { return .bury }
        let doubled = min(base * (1 << min(attempt - 1, 20)), longest)
        return .retry(after: max(doubled * (0.5 + chance), retryAfter ?? .zero))
    }
}
