internal import Glibc
internal import Synchronization

/// The connections of a worker, and which of them are idle. An idle one belongs to whoever takes it out of here:
/// a thread that was told it is ready, or the main thread that gives it away. Nobody touches one that is being served.
///
/// One flag a connection and no lock: arming a connection is a system call that wakes the very thread which then claims
/// it, and around a lock the two would wait for each other at every request.
final class Connections: @unchecked Sendable {
    // Unchecked: allocated once, freed with this object, and every element is atomic.
    private let idle: UnsafeMutablePointer<Atomic<Bool>>
    /// Descriptors are numbers below this one.
    private let limit: Int
    /// False once this worker gives its connections away.
    private let isParking = Atomic(true)
    /// Threads inside `park` at this moment.
    private let parkers = Atomic(0)
    private let poller: Poller
    private let slot: ScoreboardSlot?

    /// More descriptors than this no worker needs; one flag each.
    private static let mostDescriptors = 1 << 16

    init(poller: Poller, slot: ScoreboardSlot?) {
        self.poller = poller
        self.slot = slot
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limit = min(Int(clamping: limits.rlim_cur), Self.mostDescriptors)
        // The kernel keeps to it, so that no descriptor lies beyond the flags.
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

    /// Leaves a connection to the poller. False when this worker parks none any more; it is still the caller's then.
    func park(_ connection: Int32, _ age: Age) -> Bool {
        if age == .new { slot?.connectionIsOpen() }
        // Counted before the question and until the end, so that `takeAll` can wait for who has not seen its answer.
        parkers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { parkers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        guard isParking.load(ordering: .sequentiallyConsistent), (0..<limit).contains(Int(connection)) else { return false }
        idle[Int(connection)].store(true, ordering: .releasing)
        poller.arm(connection, isNew: age == .new)
        return true
    }

    /// Takes a connection that became ready; false when it was given away in between.
    func claim(_ connection: Int32) -> Bool {
        guard (0..<limit).contains(Int(connection)) else { return false }
        return idle[Int(connection)].exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Takes all idle connections, and parks none from here on.
    func takeAll() -> [Int32] {
        isParking.store(false, ordering: .sequentiallyConsistent)
        // A few system calls long at most; after it nobody arms anything any more.
        while parkers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
        return (0..<Int32(limit)).filter { claim($0) }
    }

    /// Counts a connection that was closed or given away.
    func isGone() { slot?.connectionIsGone() }
}
