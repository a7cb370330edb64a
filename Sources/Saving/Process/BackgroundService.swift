/// Other work of the jobs process, on a thread of its own. It never waits for saved links, nor do they wait for it.
public struct BackgroundService: Sendable {
    /// Works until stopped.
    let run: @Sendable () -> Void
    /// Stops the service soon. Called on another thread.
    let stop: @Sendable () -> Void

    public init(run: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
        self.run = run
        self.stop = stop
    }
}
