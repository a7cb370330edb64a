/// A requested fetch and the closure that takes its result.
struct QueuedFetch: Sendable {
    var request: FetchRequest
    var complete: RedirectChain.Completion
}
