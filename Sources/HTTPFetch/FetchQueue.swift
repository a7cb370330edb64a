import CCurl
import Synchronization

/// A fetch somebody wants.
struct QueuedFetch: Sendable {
    var request: FetchRequest
    var complete: RedirectChain.Completion
}

/// Where other threads leave orders for the event loop, and the one way to end it.
final class FetchQueue: Sendable {
    private struct State: @unchecked Sendable {
        var orders: [QueuedFetch] = []
        /// The loop's multi handle, to wake it; nil once the loop has ended. Unchecked: the pointer is used under the lock
        /// only, and only for `curl_multi_wakeup`, which libcurl allows from any thread.
        var multi: UnsafeMutableRawPointer?
        var isClosed = false
    }

    private let state = Mutex(State())

    func open(waking multi: UnsafeMutableRawPointer) { state.withLock { $0.multi = multi } }

    /// False once closed: nobody will answer the order.
    func put(_ order: QueuedFetch) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let multi = state.multi else { return false }
            state.orders.append(order)
            curl_multi_wakeup(multi)
            return true
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            if let multi = state.multi { curl_multi_wakeup(multi) }
        }
    }

    /// For the loop: the new orders, or nil when it shall end.
    func take() -> [QueuedFetch]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.orders = [] }
            return state.orders
        }
    }

    /// For the loop: its last look, after which it may free the multi handle. The orders nobody took.
    func leave() -> [QueuedFetch] {
        state.withLock { state in
            state.multi = nil
            state.isClosed = true
            defer { state.orders = [] }
            return state.orders
        }
    }
}
