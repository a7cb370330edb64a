import Auth

/// What the responder learns about a request while it answers: for the log line, the metrics and `Server-Timing`.
struct RequestRecord {
    var label = Route.Label.none
    /// Nil until the caller is known, and for routes without a caller.
    var caller: Caller?
    var timings = RequestTimings()

    /// Whether nobody is signed in.
    var isAnonymous: Bool { caller?.role != .authenticated && caller?.role != .serviceRole }
}
