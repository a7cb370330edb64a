import FastCGI
import Settings

extension WorkerOptions {
    /// The options of one worker, from the settings.
    public init(_ settings: Settings) {
        self.init()
        threads = settings.number("THREADS")
        bodyLimit = settings.number("BODY_LIMIT")
        drainSeconds = settings.number("DRAIN_TIMEOUT")
        recycleAfter = settings.number("RECYCLE_AFTER")
    }
}
