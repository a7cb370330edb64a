import CCurl
import Glibc

/// Runs all transfers on one thread with libcurl's multi interface, without blocking. Only that thread uses this
/// object. Other threads communicate with it through its `FetchQueue`.
final class EventLoop {
    private let settings: FetchSettings
    private let queue: FetchQueue
    private let multi: UnsafeMutableRawPointer
    private let handleOptions: HandleOptions
    /// The running chains by libcurl handle.
    private var chains: [UnsafeMutableRawPointer: RedirectChain] = [:]
    private var waiting: [QueuedFetch] = []
    /// When the deadlines of all chains are checked next. Nil while there are no chains.
    private var nextDeadlineCheck: RedirectChain.Instant?

    init(settings: FetchSettings, queue: FetchQueue, multi: UnsafeMutableRawPointer) {
        self.settings = settings
        self.queue = queue
        self.multi = multi
        handleOptions = HandleOptions(settings)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, EventLoop.idleConnections)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 0)
    }

    /// The number of connections that are kept open for later hops to the same host.
    private static let idleConnections = 64
    /// The longest sleep, in milliseconds. New fetches wake the loop earlier.
    private static let maxSleep = 10_000

    /// Runs until the queue is closed. Completes every fetch, including those that are unfinished at the end.
    func run() {
        // libidn2 reads host names in the thread's character set, which is ASCII by default.
        let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        if let utf8 { uselocale(utf8) }
        while let fetches = queue.take() {
            waiting += fetches
            startWaiting()
            perform()
            abortOverdue()
            sleep()
        }
        finish()
        if let utf8 {
            uselocale(UnsafeMutablePointer(bitPattern: -1))  // LC_GLOBAL_LOCALE, a cast Swift cannot import
            freelocale(utf8)
        }
    }

    // MARK: - Steps

    private func startWaiting() {
        let places = settings.concurrentTransfers - chains.count
        guard places > 0, !waiting.isEmpty else { return }
        let now = RedirectChain.Instant.now
        for fetch in waiting.prefix(places) { begin(fetch, now: now) }
        waiting.removeFirst(min(places, waiting.count))
    }

    private func begin(_ fetch: QueuedFetch, now: RedirectChain.Instant) {
        let chain = RedirectChain(
            request: fetch.request, settings: settings, handleOptions: handleOptions, now: now,
            complete: fetch.complete)
        guard let chain else { return fetch.complete(.failure(.stopped)) }
        do throws(FetchError) {
            try chain.begin(now: now)
            start(chain)
        } catch {
            chain.complete(.failure(error))
        }
    }

    private func perform() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result  // libcurl frees the message when its handle is removed
            guard let chain = remove(easy) else { continue }
            proceed(chain, chain.transferEnded(code, now: .now))
        }
    }

    private func abortOverdue() {
        let now = RedirectChain.Instant.now
        guard let check = nextDeadlineCheck, check <= now else { return }
        for chain in chains.values where chain.deadline <= now {
            guard let chain = remove(chain.easy) else { continue }
            proceed(chain, chain.deadlinePassed(now: now))
        }
        nextDeadlineCheck = nil
        for chain in chains.values { scheduleDeadlineCheck(of: chain) }
    }

    private func sleep() {
        var milliseconds = EventLoop.maxSleep
        if let check = nextDeadlineCheck {
            let left = (check - RedirectChain.Instant.now) / .milliseconds(1)
            milliseconds = min(milliseconds, max(0, Int(left.rounded(.up))))
        }
        let canStartWaiting = !waiting.isEmpty && chains.count < settings.concurrentTransfers
        if !canStartWaiting { curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) }
    }

    private func finish() {
        for easy in Array(chains.keys) { remove(easy)?.complete(.failure(.stopped)) }
        for fetch in waiting { fetch.complete(.failure(.stopped)) }
        waiting = []
    }

    // MARK: - Adding and removing chains

    private func proceed(_ chain: RedirectChain, _ outcome: RedirectChain.Outcome) {
        switch outcome {
        case .nextTransfer: start(chain)
        case .ended(let result): chain.complete(result)
        }
    }

    private func start(_ chain: RedirectChain) {
        guard curl_multi_add_handle(multi, chain.easy) == CURLM_OK else { return chain.complete(.failure(.stopped)) }
        chains[chain.easy] = chain
        scheduleDeadlineCheck(of: chain)
    }

    private func remove(_ easy: UnsafeMutableRawPointer) -> RedirectChain? {
        curl_multi_remove_handle(multi, easy)
        return chains.removeValue(forKey: easy)
    }

    /// A chain's deadline can become earlier during a transfer when its body turns out to be unwanted, so the next
    /// check is never far away.
    private func scheduleDeadlineCheck(of chain: RedirectChain) {
        let due = min(chain.deadline, .now + EventLoop.deadlineCheckInterval)
        nextDeadlineCheck = min(nextDeadlineCheck ?? due, due)
    }

    private static let deadlineCheckInterval: Duration = .milliseconds(200)
}
