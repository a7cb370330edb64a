import CCurl
import Synchronization
import Threads

/// Fetches pages: any number of callers, one event-loop thread, hundreds of transfers at once.
///
/// Every fetch is one chain of GETs: redirects are followed hop by hop within the caps of `FetchLimits`, every connection
/// of every hop passes `AddressRules` with the address it really uses, and cookies live within the chain only.
/// Ends its thread when it is released; fetches still under way then fail.
public final class Fetcher: Sendable {
    private let inbox = FetchQueue()
    private let thread: LoopThread?

    /// Starts the thread. Where even that is impossible, every fetch fails with `connection_failed`.
    public init(_ settings: FetchSettings = FetchSettings()) {
        thread = Fetcher.isLibraryReady ? LoopThread(settings: settings, inbox: inbox) : nil
    }

    deinit {
        inbox.close()
        thread?.join()
    }

    /// Begins a fetch and returns at once.
    /// - Parameter complete: called exactly once, on the event loop's thread: hand the result on and return.
    public func fetch(_ request: FetchRequest, complete: @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) {
        if !inbox.put(QueuedFetch(request: request, complete: complete)) { complete(.failure(.stopped)) }
    }

    /// The page, whatever we have of it already.
    public func fetch(_ url: String, complete: @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) {
        fetch(FetchRequest(url), complete: complete)
    }

    /// Fetches and waits. For threads that may block; never from a completion, which would wait for itself.
    public func fetch(_ url: String) throws(FetchError) -> FetchedPage { try fetch(FetchRequest(url)) }

    /// Fetches and waits, as above.
    public func fetch(_ request: FetchRequest) throws(FetchError) -> FetchedPage { try result(of: request).get() }

    /// Fetches and waits, for who hands on what comes of it.
    public func result(of request: FetchRequest) -> Result<FetchedPage, FetchError> {
        let answer = PendingResult()
        fetch(request) { answer.give($0) }
        return answer.wait()
    }

    /// libcurl's global set-up, once a process.
    private static let isLibraryReady = ccurl_global_init() == CURLE_OK
}

/// A result one thread waits for and another gives.
private final class PendingResult: Sendable {
    private let lock = Mutex<Result<FetchedPage, FetchError>?>(nil)
    private let arrived = CountingSemaphore(0)

    func give(_ result: Result<FetchedPage, FetchError>) {
        lock.withLock { $0 = result }
        arrived.release()
    }

    func wait() -> Result<FetchedPage, FetchError> {
        while true {
            arrived.acquire()
            if let result = lock.withLock({ $0 }) { return result }
        }
    }
}
