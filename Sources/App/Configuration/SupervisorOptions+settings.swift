import FastCGI
import Settings
import Threads

extension SupervisorOptions {
    /// The number of worker processes of a pool, from the settings.
    public static func workers(_ settings: Settings) -> Int {
        let configured = settings.number("WORKERS")
        return configured > 0 ? configured : min(Processors.count, mostWorkers)
    }
}
