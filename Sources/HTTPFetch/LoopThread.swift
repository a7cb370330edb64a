import CCurl
import Glibc
import Synchronization

/// The thread an `EventLoop` runs on.
struct LoopThread: Sendable {
    private let thread: pthread_t

    /// Nil when the system gives no thread or libcurl no handle.
    init?(settings: FetchSettings, inbox: FetchQueue) {
        guard let multi = curl_multi_init() else { return nil }
        inbox.open(waking: multi)
        let start = Unmanaged.passRetained(Start(settings: settings, inbox: inbox, multi: multi))
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runEventLoop, start.toOpaque())
        guard failure == 0 else {
            start.release()
            _ = inbox.leave()
            curl_multi_cleanup(multi)
            return nil
        }
        self.thread = thread
    }

    /// Waits for the thread's end; the inbox must have been closed.
    func join() {
        // The last reference to a fetcher may go in a completion, on the loop's own thread: it cannot wait for itself.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}

/// What the new thread is told.
private final class Start {
    let settings: FetchSettings
    let inbox: FetchQueue
    let multi: UnsafeMutableRawPointer

    init(settings: FetchSettings, inbox: FetchQueue, multi: UnsafeMutableRawPointer) {
        self.settings = settings
        self.inbox = inbox
        self.multi = multi
    }
}

private func runEventLoop(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    leaveSignalsToOthers()
    EventLoop(settings: start.settings, inbox: start.inbox, multi: start.multi).run()
    for order in start.inbox.leave() { order.complete(.failure(.stopped)) }
    curl_multi_cleanup(start.multi)
    return nil
}

/// A farewell to a connection that has closed raises SIGPIPE here, inside OpenSSL, which would end the process; libcurl
/// guards against it only where it may use signals itself. And signals meant for the process belong to threads that wait
/// for them: one that arrives here would cut a wait short.
private func leaveSignalsToOthers() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCHLD, SIGUSR1, SIGUSR2, SIGALRM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// A counting semaphore of the system; lives on the heap because its address must not change.
final class Semaphore: Sendable {
    // Proof of safety: the pointer is set once, points to memory of our own until deinit, and sem_post and sem_wait are
    // what threads share it for.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func post() { sem_post(semaphore) }

    /// Returns after a `post`, or early when a signal interrupts; callers look whether what they wait for is there.
    func wait() { sem_wait(semaphore) }
}
