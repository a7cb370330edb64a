import Glibc

/// Blocks SIGINT and SIGTERM from its creation on, so that the current step finishes before the program stops.
struct Interruption {
    private static let signals = [SIGINT, SIGTERM]

    init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in Self.signals { sigaddset(&held, signal) }
        sigprocmask(SIG_BLOCK, &held, nil)
    }

    /// Whether one of the signals is pending.
    var isPending: Bool {
        var waiting = sigset_t()
        sigpending(&waiting)
        return Self.signals.contains { sigismember(&waiting, $0) == 1 }
    }
}
