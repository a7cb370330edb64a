/// Decides when an ended worker is started again: at once, unless workers keep ending right after their start.
public struct RestartPolicy: Sendable {
    /// A worker that ran this long started successfully.
    public var steadyAfter: Duration = .seconds(1)
    /// The pause before the third start in a row, which then doubles. The first two follow at once, because a single
    /// failure may be an accident.
    public var firstPause: Duration = .milliseconds(100)
    /// The longest pause. A start every ten seconds hardly loads a machine and still notices a fix soon.
    public var longestPause: Duration = .seconds(10)

    public init() {}

    /// Returns the number of early failures in a row after one more end of a worker.
    func failures(before: Int, lived: Duration) -> Int { lived >= steadyAfter ? 0 : before + 1 }

    /// Returns how long to wait after that many early failures in a row.
    func pause(after failures: Int) -> Duration {
        guard failures > 1 else { return .zero }
        return min(longestPause, firstPause * (1 << min(failures - 2, 20)))
    }
}
