/// Decides when an ended process is started again: at once, unless it keeps ending right after its start.
public struct RestartPolicy: Sendable {
    /// A process that ran this long started successfully.
    public var steadyAfter: Duration
    /// The pauses after one, two and more early failures in a row. The last one also follows every further failure.
    public var pauses: [Duration]

    public init(steadyAfter: Duration, pauses: [Duration]) {
        self.steadyAfter = steadyAfter
        self.pauses = pauses
    }

    /// Returns the number of early failures in a row after one more end of a process.
    public func failures(before: Int, lived: Duration) -> Int { lived >= steadyAfter ? 0 : before + 1 }

    /// Returns how long to wait after that many early failures in a row.
    public func pause(after failures: Int) -> Duration {
        guard failures > 0, let longest = pauses.last else { return .zero }
        return failures <= pauses.count ? pauses[failures - 1] : longest
    }
}
