import Glibc

/// Ctrl-C and SIGTERM, held back from here on, so that what is at hand comes to its end first.
struct Interruption {
    private static let signals = [SIGINT, SIGTERM]

    init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in Self.signals { sigaddset(&held, signal) }
        sigprocmask(SIG_BLOCK, &held, nil)
    }

    /// Whether one has come.
    var isThere: Bool {
        var waiting = sigset_t()
        sigpending(&waiting)
        return Self.signals.contains { sigismember(&waiting, $0) == 1 }
    }
}
