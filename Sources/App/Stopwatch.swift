import HTTP

/// Where the time of one request went.
struct Stopwatch {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private(set) var auth: Duration = .zero
    private(set) var plan: Duration = .zero
    private(set) var sql: Duration = .zero

    init() { start = clock.now }

    var total: Duration { clock.now - start }

    enum Step { case auth, plan, sql }

    /// Runs a step and adds its time, also when it throws.
    mutating func time<Result, Failure: Error>(
        _ step: Step, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let began = clock.now
        defer {
            let spent = clock.now - began
            switch step {
            case .auth: auth += spent
            case .plan: plan += spent
            case .sql: sql += spent
            }
        }
        return try work()
    }

    /// The `Server-Timing` header, in milliseconds.
    var serverTiming: String {
        [("auth", auth), ("plan", plan), ("sql", sql), ("total", total)]
            .map { "\($0.0);dur=\(($0.1.milliseconds * 1_000).rounded() / 1_000)" }.joined(separator: ", ")
    }
}
