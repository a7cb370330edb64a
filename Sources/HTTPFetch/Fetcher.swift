import CCurl

/// Fetches pages for any number of callers, with hundreds of simultaneous transfers on one event-loop thread.
///
/// Every fetch is a chain of GET requests, or one POST request. Redirects are followed hop by hop within `FetchLimits`. `AddressRules`
/// checks the real address of every connection of every hop. Cookies exist only within the chain. The thread ends when
/// the fetcher is released. Unfinished fetches then fail.
public final class Fetcher: Sendable {
    private let queue = FetchQueue()
    private let thread: LoopThread?

    /// Starts the thread. If that fails, every fetch fails with `connection_failed`.
    public init(_ settings: FetchSettings = FetchSettings()) {
        thread = Fetcher.isLibraryReady ? LoopThread(settings: settings, queue: queue) : nil
    }

    deinit {
        queue.close()
        thread?.join()
    }

    /// Begins a fetch and returns at once.
    /// - Parameter complete: called exactly once on the event loop's thread. It must not block.
    public func fetch(
        _ request: FetchRequest, complete: @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void
    ) {
        if !queue.add(QueuedFetch(request: request, complete: complete)) { complete(.failure(.stopped)) }
    }

    /// Fetches the page unconditionally.
    public func fetch(_ url: String, complete: @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) {
        fetch(FetchRequest(url), complete: complete)
    }

    /// Fetches and waits. The calling thread blocks. A completion must not call it, because it would wait for itself.
    public func fetch(_ url: String) throws(FetchError) -> FetchedPage { try fetch(FetchRequest(url)) }

    /// Fetches and waits, as above.
    public func fetch(_ request: FetchRequest) throws(FetchError) -> FetchedPage { try result(of: request).get() }

    /// Fetches, waits and returns the outcome as a `Result`.
    public func result(of request: FetchRequest) -> Result<FetchedPage, FetchError> {
        let pending = PendingResult()
        fetch(request) { pending.complete($0) }
        return pending.wait()
    }

    /// libcurl's global initialisation, once per process.
    private static let isLibraryReady = ccurl_global_init() == CURLE_OK
}
