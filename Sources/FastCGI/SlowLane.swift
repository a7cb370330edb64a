internal import CFastCGI
internal import Glibc
internal import Synchronization

/// The requests of a worker that wait for its slow thread, in the order of their arrival.
final class SlowLane: Sendable {
    private struct Queue {
        var waiting: [ReceivedRequest] = []
        /// Of all that wait together.
        var bytes = 0
        var isClosed = false
    }

    private enum Next {
        case request(ReceivedRequest)
        case noneYet, noneAnyMore
    }

    private let queue = Mutex(Queue())
    /// Readable when the slow thread should look.
    private let news = eventfd(0, Int32(EFD_CLOEXEC))
    private let mostRequests: Int
    private let mostBytes: Int

    init(mostRequests: Int, mostBytes: Int) {
        self.mostRequests = mostRequests
        self.mostBytes = mostBytes
    }

    deinit { Glibc.close(news) }

    /// Puts a request at the end of the queue. False when that is full; the request is still the caller's then.
    func add(_ request: ReceivedRequest) -> Bool {
        let size = request.size
        let isIn = queue.withLock { queue in
            guard queue.waiting.count < mostRequests, queue.bytes + size <= mostBytes else { return false }
            queue.waiting.append(request)
            queue.bytes += size
            return true
        }
        if isIn { eventfd_write(news, 1) }
        return isIn
    }

    /// The request that has waited longest; waits for one. Nil once the lane is closed and empty.
    func next() -> ReceivedRequest? {
        while true {
            switch queue.withLock({ Self.takeFirst(of: &$0) }) {
            case .request(let request): return request
            case .noneAnyMore: return nil
            case .noneYet:
                var count: eventfd_t = 0
                eventfd_read(news, &count)
            }
        }
    }

    /// Nothing will be added any more.
    func close() {
        queue.withLock { $0.isClosed = true }
        eventfd_write(news, 1)
    }

    private static func takeFirst(of queue: inout Queue) -> Next {
        guard let first = queue.waiting.first else { return queue.isClosed ? .noneAnyMore : .noneYet }
        // Moves the rest, a thousand at most, which is nothing beside what the request itself takes.
        queue.waiting.removeFirst()
        queue.bytes -= first.size
        return .request(first)
    }
}
