import CCurl
import Glibc

/// The thread that carries all transfers: libcurl's multi interface, and nothing that blocks. Everything in here is used
/// on that thread only; other threads reach it through its `FetchQueue`.
final class EventLoop {
    private let settings: FetchSettings
    private let inbox: FetchQueue
    private let multi: UnsafeMutableRawPointer
    private let handleOptions: HandleOptions
    /// Under way, by libcurl handle.
    private var chains: [UnsafeMutableRawPointer: RedirectChain] = [:]
    private var waiting: [QueuedFetch] = []
    /// When all chains are looked at again for deadlines that have passed; nil while there are none.
    private var nextLook: RedirectChain.Instant?

    init(settings: FetchSettings, inbox: FetchQueue, multi: UnsafeMutableRawPointer) {
        self.settings = settings
        self.inbox = inbox
        self.multi = multi
        handleOptions = HandleOptions(settings)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, EventLoop.idleConnections)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 0)
    }

    /// Connections kept open for the next hop to the same host.
    private static let idleConnections = 64
    /// Longest sleep while nothing is due, in milliseconds; orders wake the loop anyhow.
    private static let longestSleep = 10_000

    /// Until the inbox is closed. Gives every order its answer, also those that are under way then.
    func run() {
        // libidn2 reads host names in the thread's character set, which without this is ASCII.
        let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        if let utf8 { uselocale(utf8) }
        while let orders = inbox.take() {
            waiting += orders
            admit()
            perform()
            giveUpOverdue()
            sleep()
        }
        finish()
        if let utf8 {
            uselocale(UnsafeMutablePointer(bitPattern: -1))  // LC_GLOBAL_LOCALE, a cast Swift cannot import
            freelocale(utf8)
        }
    }

    // MARK: - Steps

    private func admit() {
        let places = settings.concurrentTransfers - chains.count
        guard places > 0, !waiting.isEmpty else { return }
        let now = RedirectChain.Instant.now
        for order in waiting.prefix(places) { begin(order, now: now) }
        waiting.removeFirst(min(places, waiting.count))
    }

    private func begin(_ order: QueuedFetch, now: RedirectChain.Instant) {
        let chain = RedirectChain(
            request: order.request, settings: settings, handleOptions: handleOptions, now: now, complete: order.complete)
        guard let chain else { return order.complete(.failure(.stopped)) }
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
            carryOn(chain, chain.transferEnded(code, now: .now))
        }
    }

    private func giveUpOverdue() {
        let now = RedirectChain.Instant.now
        guard let look = nextLook, look <= now else { return }
        for chain in chains.values where chain.deadline <= now {
            guard let chain = remove(chain.easy) else { continue }
            carryOn(chain, chain.deadlinePassed(now: now))
        }
        nextLook = nil
        for chain in chains.values { noteDeadline(of: chain) }
    }

    private func sleep() {
        var milliseconds = EventLoop.longestSleep
        if let look = nextLook {
            let left = (look - RedirectChain.Instant.now) / .milliseconds(1)
            milliseconds = min(milliseconds, max(0, Int(left.rounded(.up))))
        }
        let hasPlaceForWaiting = !waiting.isEmpty && chains.count < settings.concurrentTransfers
        if !hasPlaceForWaiting { curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) }
    }

    private func finish() {
        for easy in Array(chains.keys) { remove(easy)?.complete(.failure(.stopped)) }
        for order in waiting { order.complete(.failure(.stopped)) }
        waiting = []
    }

    // MARK: - Chains in and out of libcurl

    private func carryOn(_ chain: RedirectChain, _ outcome: RedirectChain.Outcome) {
        switch outcome {
        case .again: start(chain)
        case .ended(let result): chain.complete(result)
        }
    }

    private func start(_ chain: RedirectChain) {
        guard curl_multi_add_handle(multi, chain.easy) == CURLM_OK else { return chain.complete(.failure(.stopped)) }
        chains[chain.easy] = chain
        noteDeadline(of: chain)
    }

    private func remove(_ easy: UnsafeMutableRawPointer) -> RedirectChain? {
        curl_multi_remove_handle(multi, easy)
        return chains.removeValue(forKey: easy)
    }

    /// The deadline of an unwanted body appears in the middle of a transfer, so a look is never put off for long.
    private func noteDeadline(of chain: RedirectChain) {
        let due = min(chain.deadline, .now + EventLoop.lookInterval)
        nextLook = min(nextLook ?? due, due)
    }

    private static let lookInterval: Duration = .milliseconds(200)
}
