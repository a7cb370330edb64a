import Telemetry

/// Measures the steps of one job. One thread's own.
final class StepWatch {
    private(set) var steps: [(step: String, milliseconds: Double)] = []

    func time<Result, Failure: Error>(
        _ step: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer { steps.append((step, (ContinuousClock.now - start).milliseconds)) }
        return try work()
    }
}
