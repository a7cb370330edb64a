import Telemetry

/// Measures the duration of each step of one job. Used by one thread only.
final class StepTimer {
    private(set) var steps: [(step: String, milliseconds: Double)] = []

    func time<Result, Failure: Error>(
        _ step: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer { steps.append((step, (ContinuousClock.now - start).milliseconds)) }
        return try work()
    }
}
