import CCurl
import Synchronization

/// The fetches that other threads request from the event loop, and the only way to end the loop.
final class FetchQueue: Sendable {
    private struct State: @unchecked Sendable {
        // Unchecked because of `multi` alone: the pointer is used only under the lock and only for `curl_multi_wakeup`,
        // which libcurl allows on any thread. `end` clears it under the lock before the handle is freed.
        var fetches: [QueuedFetch] = []
        /// The loop's multi handle, to wake it. Nil once the loop has ended.
        var multi: UnsafeMutableRawPointer?
        var isClosed = false
    }

    private let state = Mutex(State())

    func open(waking multi: UnsafeMutableRawPointer) { state.withLock { $0.multi = multi } }

    /// Adds a fetch. Returns false when the queue is closed and the fetch will not be performed.
    func add(_ fetch: QueuedFetch) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let multi = state.multi else { return false }
            state.fetches.append(fetch)
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

    /// Called by the loop. Removes and returns the new fetches, or returns nil when the loop must end.
    func take() -> [QueuedFetch]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.fetches = [] }
            return state.fetches
        }
    }

    /// Called at the end of the loop, which may then free the multi handle. Returns the remaining fetches.
    func end() -> [QueuedFetch] {
        state.withLock { state in
            state.multi = nil
            state.isClosed = true
            defer { state.fetches = [] }
            return state.fetches
        }
    }
}
