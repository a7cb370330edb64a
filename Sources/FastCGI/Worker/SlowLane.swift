internal import CFastCGI
internal import Glibc
internal import Synchronization

/// The queue of requests that wait for a worker's slow thread, in the order of their arrival.
final class SlowLane: Sendable {
    private struct Queue {
        var waiting: [(request: ReceivedRequest, source: RequestSource?)] = []
        /// The number of waiting requests by the key of their source.
        var sources: [UInt64: Int] = [:]
        /// The total size of the waiting requests.
        var bytes = 0
        var isClosed = false
    }

    private enum Next {
        case request(ReceivedRequest)
        case empty, closed
    }

    private let queue = Mutex(Queue())
    /// Readable when the slow thread should check the queue.
    private let changed = eventfd(0, Int32(EFD_CLOEXEC))
    private let maxRequests: Int
    private let maxBytes: Int

    init(maxRequests: Int, maxBytes: Int) {
        self.maxRequests = maxRequests
        self.maxBytes = maxBytes
    }

    deinit { Glibc.close(changed) }

    /// Appends a request to the queue. Returns the reason to reject it when the queue is full, or when as many requests
    /// of the source wait as its limit: the caller then still owns the request.
    func add(_ request: ReceivedRequest, of source: RequestSource? = nil) -> RequestRejection? {
        let size = request.size
        let rejection: RequestRejection? = queue.withLock { queue in
            guard queue.waiting.count < maxRequests, queue.bytes + size <= maxBytes else { return .tooManyWaiting }
            if let source {
                guard queue.sources[source.key, default: 0] < source.limit else { return .tooManyOfSource }
                queue.sources[source.key, default: 0] += 1
            }
            queue.waiting.append((request, source))
            queue.bytes += size
            return nil
        }
        if rejection == nil { eventfd_write(changed, 1) }
        return rejection
    }

    /// Removes and returns the oldest request. Waits for one. Returns nil once the queue is closed and empty.
    func next() -> ReceivedRequest? {
        while true {
            switch queue.withLock({ Self.takeFirst(of: &$0) }) {
            case .request(let request): return request
            case .closed: return nil
            case .empty:
                var count: eventfd_t = 0
                eventfd_read(changed, &count)
            }
        }
    }

    /// Ends the queue. No request is added after it.
    func close() {
        queue.withLock { $0.isClosed = true }
        eventfd_write(changed, 1)
    }

    private static func takeFirst(of queue: inout Queue) -> Next {
        guard let first = queue.waiting.first else { return queue.isClosed ? .closed : .empty }
        // Moves the other requests, a thousand at most. That costs little compared with answering one.
        queue.waiting.removeFirst()
        queue.bytes -= first.request.size
        if let key = first.source?.key {
            let left = queue.sources[key, default: 1] - 1
            queue.sources[key] = left == 0 ? nil : left
        }
        return .request(first.request)
    }
}
