internal import CFastCGI
internal import Glibc

/// The epoll set that all threads of a worker wait on.
struct Poller: Sendable {
    enum Source: Equatable {
        /// A connection waits to be accepted.
        case listener
        /// A connection of a worker that leaves waits to be adopted.
        case adoption
        /// The worker's phase has changed.
        case wake
        /// A connection has something to read, or ended.
        case connection(Int32)
    }

    private let epoll: Int32

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "no epoll: errno \(errno)")
    }

    /// Waits for up to `most` sources (1 to 64); without end, or not at all.
    func wait(most: Int, isPatient: Bool) -> [Source] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: most) { events in
            // At least one, so it has an address. Cut short by a signal it returns none, and the caller waits again.
            let count = epoll_wait(epoll, events.baseAddress!, Int32(most), isPatient ? -1 : 0)
            return events[..<max(0, Int(count))].map { Source(mark: $0.data.u64) }
        }
    }

    /// Watches a descriptor shared by all workers: one waiting thread of one worker is woken, not all.
    func watchShared(_ descriptor: Int32, as source: Source) {
        control(EPOLL_CTL_ADD, descriptor, fastcgi_wake_one(), source)
    }

    /// Watches a descriptor whose readiness every thread shall see.
    func watchForAll(_ descriptor: Int32, as source: Source) {
        control(EPOLL_CTL_ADD, descriptor, UInt32(EPOLLIN.rawValue), source)
    }

    /// Watches a connection for one event: until it is armed again it belongs to the thread that got it.
    func arm(_ connection: Int32, isNew: Bool) {
        control(isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, connection, fastcgi_wake_once(), .connection(connection))
    }

    func forget(_ descriptor: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ source: Source) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = source.mark
        let result = epoll_ctl(epoll, operation, descriptor, &event)
        precondition(result == 0, "epoll refuses descriptor \(descriptor): errno \(errno)")
    }
}

extension Poller.Source {
    fileprivate var mark: UInt64 {
        switch self {
        case .listener: .max
        case .adoption: .max - 1
        case .wake: .max - 2
        case .connection(let descriptor): UInt64(descriptor)
        }
    }

    fileprivate init(mark: UInt64) {
        switch mark {
        case .max: self = .listener
        case .max - 1: self = .adoption
        case .max - 2: self = .wake
        default: self = .connection(Int32(mark))
        }
    }
}
