/// The time that one request spent in each step.
struct RequestTimings {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private(set) var auth: Duration = .zero
    private(set) var plan: Duration = .zero
    private(set) var sql: Duration = .zero

    init() { start = clock.now }

    var total: Duration { clock.now - start }

    enum Step { case auth, plan, sql }

    /// Runs `work` and adds its duration to the step, also when `work` throws.
    mutating func measure<Result, Failure: Error>(
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

    /// The value of `Server-Timing`: milliseconds with three decimals.
    var serverTiming: String {
        Self.serverTiming([("auth", auth), ("plan", plan), ("sql", sql), ("total", total)])
    }

    static func serverTiming(_ steps: [(name: String, duration: Duration)]) -> String {
        var text = ""
        for (name, duration) in steps {
            let (seconds, attoseconds) = duration.components
            let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
            let thousandths = String(1_000 + microseconds % 1_000).dropFirst()
            text += (text.isEmpty ? "" : ", ") + name + ";dur=" + String(microseconds / 1_000) + "." + thousandths
        }
        return text
    }
}
