import Processes

/// A process of a service that the supervisor has started.
final class RunningService {
    let process: ChildProcess
    let startedAt = MonotonicClock.now
    let fingerprint: Fingerprint
    /// How it ended; nil while it was last seen alive.
    private(set) var exit: ProcessExit?

    init(process: ChildProcess, fingerprint: Fingerprint) {
        self.process = process
        self.fingerprint = fingerprint
    }

    var isAlive: Bool {
        if exit == nil { exit = process.exit() }
        return exit == nil
    }
}
