/// When a worker that died is started again: at once, unless it keeps dying right after its start.
public struct RestartPolicy: Sendable {
    /// A worker that lived this long started well.
    public var steadyAfter: Duration = .seconds(1)
    /// Pause before the third start in a row; doubles each time. Two at once, because one death may be an accident.
    public var firstPause: Duration = .milliseconds(100)
    /// Longest pause. Ten seconds: a machine is not burdened by it, and a cure is noticed soon.
    public var longestPause: Duration = .seconds(10)

    public init() {}

    /// Early deaths in a row, after one more death.
    func failures(before: Int, lived: Duration) -> Int { lived >= steadyAfter ? 0 : before + 1 }

    /// How long to wait after so many early deaths in a row.
    func pause(after failures: Int) -> Duration {
        guard failures > 1 else { return .zero }
        return min(longestPause, firstPause * (1 << min(failures - 2, 20)))
    }
}
