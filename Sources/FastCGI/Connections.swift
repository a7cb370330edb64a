internal import Glibc
internal import Synchronization

/// The connections of a worker, and which of them are idle. An idle one belongs to whoever takes it out of here:
/// a thread that was told it is ready, or the main thread that gives it away. Nobody touches one that is being served.
final class Connections: Sendable {
    private struct State {
        var idle: Set<Int32> = []
        /// Idle ones and those being served.
        var open = 0
        /// False once this worker gives its connections away.
        var isParking = true
    }

    private let state = Mutex(State())
    private let poller: Poller
    private let slot: Slot?

    init(poller: Poller, slot: Slot?) {
        self.poller = poller
        self.slot = slot
    }

    enum Age { case new, known }

    /// Leaves a connection to the poller. False when this worker parks none any more; it is still the caller's then.
    func park(_ connection: Int32, _ age: Age) -> Bool {
        state.withLock { state in
            if age == .new { count(1, &state) }
            guard state.isParking else { return false }
            // Under the lock, so that nobody can give away or close what is not armed yet.
            state.idle.insert(connection)
            poller.arm(connection, isNew: age == .new)
            return true
        }
    }

    /// Takes a connection that became ready; false when it was given away in between.
    func claim(_ connection: Int32) -> Bool {
        state.withLock { $0.idle.remove(connection) != nil }
    }

    /// Takes all idle connections, and parks none from here on.
    func takeAll() -> [Int32] {
        state.withLock { state in
            state.isParking = false
            let idle = state.idle
            state.idle = []
            return Array(idle)
        }
    }

    /// Counts a connection that was closed or given away.
    func isGone() {
        state.withLock { count(-1, &$0) }
    }

    private func count(_ difference: Int, _ state: inout State) {
        state.open += difference
        slot?.set(openConnections: state.open)
    }
}
