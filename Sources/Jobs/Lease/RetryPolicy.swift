/// Decides whether a failed job is tried again, and when. Pure: chance is an argument.
public struct RetryPolicy: Sendable {
    public enum Decision: Equatable, Sendable {
        case retry(after: Duration)
        case bury
    }

    /// The first delay; each further attempt doubles it. 30 s is enough for the remote site to restart.
    public var base: Duration = .seconds(30)
    /// The longest delay before `chance` spreads it by up to a half; a site's own Retry-After may be longer.
    public var maxDelay: Duration = .seconds(6 * 3_600)
    /// Attempts after which a job is buried.
    public var attempts = 5
    /// Interruptions in a row after which a job is buried. Eight restarts in a bad week are not the page's fault; a
    /// page that kills the process does so eight times.
    public var interruptions = 8

    public init() {}

    public init(base: Duration, attempts: Int, maxDelay: Duration = .seconds(6 * 3_600)) {
        self.base = base
        self.attempts = attempts
        self.maxDelay = maxDelay
    }

    /// - Parameters:
    ///   - attempt: the number of attempts so far, this one included.
    ///   - isRetryable: whether the failure may go away by itself.
    ///   - retryAfter: the wait that the site asked for.
    ///   - chance: 0 to 1; spreads retries over half to one and a half of the delay, so that jobs which failed together
    ///     do not come back together.
    public func decide(
        afterAttempt attempt: Int, isRetryable: Bool, retryAfter: Duration? = nil, chance: Double
    ) -> Decision {
        guard isRetryable, attempt < attempts else { return .bury }
        return .retry(after: max(delay(afterAttempt: attempt, chance: chance), retryAfter ?? .zero))
    }

    /// The delay before the next attempt, for jobs that are never buried.
    public func delay(afterAttempt attempt: Int, chance: Double) -> Duration {
        min(base * (1 << min(max(attempt - 1, 0), 20)), maxDelay) * (0.5 + chance)
    }
}
