public import Processes

/// What happens in a pool, for its log. Worker slots are numbered from 0. Each has one worker at a time.
public enum SupervisorEvent: Sendable, Equatable {
    case workerStarted(slot: Int, pid: Int32)
    case workerReady(slot: Int, pid: Int32)
    case workerExited(pid: Int32, ProcessExit, lived: Duration)
    /// The program could not be started.
    case workerNotStarted(slot: Int, errno: Int32)
    /// The next start is delayed, because workers keep ending at their start.
    case startDelayed(slot: Int, by: Duration)
    /// A new worker became ready, and the old one was told to stop.
    case workerReplaced(slot: Int, old: Int32, new: Int32)
    /// The new worker did not become ready. The old one stays, and a reload ends.
    case replacementFailed(slot: Int)
    /// A worker did not end in time and was killed together with its remaining requests.
    case workerKilled(pid: Int32)
    case reloading
    /// This supervisor's workers are ready, and the previous supervisor was told to stop its workers.
    case tookOver
    /// Another supervisor has taken the pool over.
    case handedOver
    case stopping
}
