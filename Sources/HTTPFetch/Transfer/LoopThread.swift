import CCurl
import Threads

/// The thread an `EventLoop` runs on.
struct LoopThread: Sendable {
    /// Blocks all signals. OpenSSL raises SIGPIPE on this thread when it sends its close message to a connection that
    /// is already closed, which would end the process: libcurl guards against SIGPIPE only where it may use signals
    /// itself. Signals sent to the process belong to threads that wait for them. One that arrived here would cut a wait
    /// short.
    private let thread: Thread

    /// Returns nil when the system refuses another thread or libcurl refuses a handle.
    init?(settings: FetchSettings, queue: FetchQueue) {
        guard let multi = curl_multi_init() else { return nil }
        queue.open(waking: multi)
        let start = Start(settings: settings, queue: queue, multi: multi)
        guard let thread = Thread({ start.run() }) else {
            _ = queue.end()
            curl_multi_cleanup(multi)
            return nil
        }
        self.thread = thread
    }

    /// Waits until the thread has ended. The queue must be closed first. A completion, which runs on this thread, may
    /// release the last reference to a fetcher; the thread is then detached.
    func join() { thread.join() }
}

/// The inputs of the new thread.
private struct Start: @unchecked Sendable {
    // Unchecked because of `multi` alone: the starting thread no longer uses the handle once the new thread runs, and
    // others only wake it through the queue, which libcurl allows on any thread.
    let settings: FetchSettings
    let queue: FetchQueue
    let multi: UnsafeMutableRawPointer

    func run() {
        EventLoop(settings: settings, queue: queue, multi: multi).run()
        for fetch in queue.end() { fetch.complete(.failure(.stopped)) }
        curl_multi_cleanup(multi)
    }
}
