/// Other work of the jobs process, on a thread of its own: what it does never waits for a saved link, nor the other way
/// round.
public struct BackgroundService: Sendable {
    /// Works until stopped.
    let run: @Sendable () -> Void
    /// Asks it to end soon; called on another thread.
    let stop: @Sendable () -> Void

    public init(run: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
        self.run = run
        self.stop = stop
    }
}
