internal import Glibc
internal import Synchronization

/// The connections of a worker and which of them are idle. An idle connection belongs to the thread that claims it: one
/// that epoll reported it to, or the main thread that hands it over. No other thread touches a connection that is being
/// served.
///
/// Each connection has a flag instead of a lock: arming a connection is a system call that wakes the thread that then
/// claims it, and with a lock around both the two threads would wait for each other at every request.
final class Connections: @unchecked Sendable {
    // Unchecked: the array is allocated once and freed with this object, every index is checked, and every element is
    // atomic. The other properties are constants of Sendable types or atomic.
    private let idle: UnsafeMutablePointer<Atomic<Bool>>
    /// Every descriptor's number is below this limit.
    private let limit: Int
    /// False once this worker hands its connections over.
    private let isParking = Atomic(true)
    /// The number of threads that are inside `park`.
    private let parkers = Atomic(0)
    private let poller: Poller
    private let slot: ScoreboardSlot?

    /// No worker needs more descriptors than this. Each has a flag.
    private static let maxDescriptors = 1 << 16

    init(poller: Poller, slot: ScoreboardSlot?) {
        self.poller = poller
        self.slot = slot
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limit = min(Int(clamping: limits.rlim_cur), Self.maxDescriptors)
        // The kernel enforces the limit, so that no descriptor lies beyond the flags.
        limits.rlim_cur = rlim_t(limit)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        idle = .allocate(capacity: limit)
        for descriptor in 0..<limit { (idle + descriptor).initialize(to: Atomic(false)) }
    }

    deinit {
        idle.deinitialize(count: limit)
        idle.deallocate()
    }

    enum Age { case new, known }

    /// Gives a connection to the poller. Returns false when this worker parks no more connections: the caller then
    /// still owns it.
    func park(_ connection: Int32, _ age: Age) -> Bool {
        if age == .new { slot?.connectionOpened() }
        // Counted from before the check until the end, so that `takeAll` can wait for threads that saw the old value.
        parkers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { parkers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        guard isParking.load(ordering: .sequentiallyConsistent), (0..<limit).contains(Int(connection)) else {
            return false
        }
        idle[Int(connection)].store(true, ordering: .releasing)
        poller.arm(connection, isNew: age == .new)
        return true
    }

    /// Claims a connection that became ready. Returns false when it was handed over in between.
    func claim(_ connection: Int32) -> Bool {
        guard (0..<limit).contains(Int(connection)) else { return false }
        return idle[Int(connection)].exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Claims all idle connections. From then on no connection is parked.
    func takeAll() -> [Int32] {
        isParking.store(false, ordering: .sequentiallyConsistent)
        // Takes a few system calls at most. After it no thread arms a connection.
        while parkers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
        return (0..<Int32(limit)).filter { claim($0) }
    }

    /// Counts a connection that was closed or handed over.
    func removed() { slot?.connectionClosed() }
}
