internal import CFastCGI
internal import Glibc

/// The epoll set that all threads of a worker wait on.
struct Poller: Sendable {
    enum Source: Equatable {
        /// A connection waits to be accepted.
        case listener
        /// A draining worker has handed over a connection.
        case handover
        /// The worker's phase has changed.
        case wake
        /// A request that waits for its source's limit may be answered.
        case held
        /// A connection is readable or was closed by its peer.
        case connection(Int32)
    }

    private let epoll: Int32

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "epoll_create1 failed: errno \(errno)")
    }

    /// Returns up to `limit` ready sources (1 to 64). Waits for at least one if `isBlocking`.
    func wait(limit: Int, isBlocking: Bool) -> [Source] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { events in
            // The buffer has an address: `limit` is at least 1. After a signal there are no events, and the caller
            // waits again.
            let count = epoll_wait(epoll, events.baseAddress!, Int32(limit), isBlocking ? -1 : 0)
            return events[..<max(0, Int(count))].map { Source(tag: $0.data.u64) }
        }
    }

    /// Watches a descriptor that all workers share. Wakes one waiting thread of one worker, not all.
    func watchShared(_ descriptor: Int32, as source: Source) {
        control(EPOLL_CTL_ADD, descriptor, fastcgi_wake_one(), source)
    }

    /// Watches a descriptor whose readiness every thread sees.
    func watchForAll(_ descriptor: Int32, as source: Source) {
        control(EPOLL_CTL_ADD, descriptor, UInt32(EPOLLIN.rawValue), source)
    }

    /// Watches a connection for one event. Until it is armed again, it belongs to the thread that receives the event.
    func arm(_ connection: Int32, isNew: Bool) {
        control(isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, connection, fastcgi_wake_once(), .connection(connection))
    }

    func remove(_ descriptor: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ source: Source) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = source.tag
        let result = epoll_ctl(epoll, operation, descriptor, &event)
        precondition(result == 0, "epoll_ctl failed for descriptor \(descriptor): errno \(errno)")
    }
}

extension Poller.Source {
    fileprivate var tag: UInt64 {
        switch self {
        case .listener: .max
        case .handover: .max - 1
        case .wake: .max - 2
        case .held: .max - 3
        case .connection(let descriptor): UInt64(descriptor)
        }
    }

    fileprivate init(tag: UInt64) {
        switch tag {
        case .max: self = .listener
        case .max - 1: self = .handover
        case .max - 2: self = .wake
        case .max - 3: self = .held
        default: self = .connection(Int32(tag))
        }
    }
}
