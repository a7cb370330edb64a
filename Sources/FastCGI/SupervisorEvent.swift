/// What happens in a pool, for its log. Seats are numbered from 0; each is held by one worker at a time.
public enum SupervisorEvent: Sendable, Equatable {
    case workerStarted(seat: Int, pid: Int32)
    case workerReady(seat: Int, pid: Int32)
    case workerExited(pid: Int32, WorkerExit, lived: Duration)
    /// The program could not be started at all.
    case workerNotStarted(seat: Int, errno: Int32)
    /// The next start waits, because the worker keeps dying at its start.
    case startDelayed(seat: Int, by: Duration)
    /// A new worker was ready, so the old one was told to go.
    case workerReplaced(seat: Int, old: Int32, new: Int32)
    /// The new worker did not become ready; the old one stays, and a reload ends here.
    case replacementFailed(seat: Int)
    /// A worker did not end in time and was killed, with the requests it still had.
    case workerKilled(pid: Int32)
    case reloading
    /// Our workers are ready and those of the supervisor before us are told to go.
    case tookOver
    /// Another supervisor has taken the pool over.
    case handedOver
    case stopping
}

/// How a worker process ended.
public enum WorkerExit: Sendable, Equatable {
    case status(Int32)
    case signal(Int32)

    /// From what wait gives: the low seven bits are the signal, or 0 and the status stands in the byte above.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .status((waitStatus >> 8) & 0xff) : .signal(signal)
    }
}
