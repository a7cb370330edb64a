internal import CFastCGI
internal import Glibc
internal import Processes

/// Owns the listening socket of a pool and keeps its workers running.
///
/// On SIGTERM and SIGINT it removes the socket, lets the workers finish and ends. On SIGHUP it replaces the workers one
/// by one, and stops each only when its replacement is ready. Workers that die are started again. Workers that have
/// reached their number of requests are replaced as on SIGHUP. Another supervisor may take the pool over, see
/// `HandoverSocket`.
public final class Supervisor {
    private let options: SupervisorOptions
    private let report: (SupervisorEvent) -> Void

    /// `report` is called on the thread that runs the supervisor and should not block for long.
    public init(options: SupervisorOptions, report: @escaping (SupervisorEvent) -> Void) {
        self.options = options
        self.report = report
    }

    /// Returns the pid of the supervisor that runs on a socket (0 if it cannot be read), or nil when none does.
    public static func running(on socketPath: String) -> Int32? { ListeningSocket.owner(of: socketPath) }

    /// Runs the pool until a signal stops it or another supervisor has taken it over. Returns the exit status: 0, or 1
    /// when workers had to be killed.
    ///
    /// The main thread must call it before it starts other threads: signals are blocked for all threads, and workers
    /// end with the thread that started them.
    public func run() throws(SupervisorFailure) -> Int32 {
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
        if options.ifRunning == .takeOver, let previous = try PreviousSupervisor(on: options.socketPath) {
            return try takeOver(from: previous, signals)
        }
        let socket = try ListeningSocket(path: options.socketPath, mode: options.socketMode, backlog: options.backlog)
        let state = HandoverState(
            listener: socket.descriptor, lock: socket.lock, connectionHandover: try makeConnectionHandover())
        let board = try draftScoreboard()
        try publish(board)
        return try supervise(WorkerPool(options: options, state, board: board, report: report), socket, state, signals)
    }

    /// Starts workers beside those of another supervisor, and then replaces it.
    private func takeOver(
        from previous: borrowing PreviousSupervisor, _ signals: SignalQueue
    ) throws(SupervisorFailure) -> Int32 {
        let before = ListeningSocket.owner(of: options.socketPath)
        let board = try draftScoreboard()
        let pool = WorkerPool(options: options, previous.state, board: board, report: report)
        guard becomesReady(pool, signals) else {
            // Not SIGINT: they hand their connections to the workers that stay.
            _ = stop(pool, with: SIGTERM, signals)
            throw .takeoverFailed(from: before)
        }
        previous.stopWorkers()
        try publish(board)
        let socket = ListeningSocket(path: options.socketPath, from: previous.state)
        socket.writePid()
        report(.tookOver)
        return try supervise(pool, socket, previous.state, signals)
    }

    /// Waits until all workers are ready. Returns false when they are not ready in time or keep dying at their start.
    private func becomesReady(_ pool: WorkerPool, _ signals: SignalQueue) -> Bool {
        let deadline = MonotonicClock.now + .seconds(options.readySeconds)
        while true {
            pool.update()
            if pool.isReady { return true }
            if pool.isFailing || MonotonicClock.now >= deadline { return false }
            switch signals.next(orReadable: nil, within: pool.waitTime) {
            case SIGTERM, SIGINT: return false
            default: break
            }
        }
    }

    private func supervise(
        _ pool: WorkerPool, _ socket: borrowing ListeningSocket, _ state: HandoverState, _ signals: SignalQueue
    ) throws(SupervisorFailure) -> Int32 {
        var handoverSocket = try HandoverSocket(of: options.socketPath)
        while true {
            pool.update()
            switch signals.next(orReadable: handoverSocket.descriptor, within: pool.waitTime) {
            case SIGTERM, SIGINT:
                report(.stopping)
                socket.withdraw()
                handoverSocket.withdraw()
                // Not SIGTERM: the workers would hand their connections to each other.
                return stop(pool, with: SIGINT, signals) ? 0 : 1
            case SIGHUP: pool.reload()
            default: break
            }
            if case .nextIsReady = handoverSocket.handleEvent(sending: state) {
                report(.handedOver)
                // The socket's files now belong to the next supervisor, and so do connections that the workers hand
                // over.
                return stop(pool, with: SIGTERM, signals) ? 0 : 1
            }
        }
    }

    private func makeConnectionHandover() throws(SupervisorFailure) -> ConnectionHandover {
        // SEQPACKET keeps messages apart like datagrams, but without the limit of ten queued datagrams.
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0 else {
            throw .system(call: "socketpair", path: options.socketPath, errno: errno)
        }
        let handover = ConnectionHandover(
            sending: Descriptors.moveAboveWorkerRange(pair[0]), receiving: Descriptors.moveAboveWorkerRange(pair[1]))
        // If no worker receives within this time, a draining worker closes its connections instead of waiting.
        var time = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(handover.sending, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return handover
    }

    private func draftScoreboard() throws(SupervisorFailure) -> Scoreboard {
        do throws(Scoreboard.Failure) {
            return try Scoreboard.draft(path: options.scoreboardPath, counters: options.counters)
        } catch { throw .scoreboard(error) }
    }

    private func publish(_ board: Scoreboard) throws(SupervisorFailure) {
        do throws(Scoreboard.Failure) { try board.publish() } catch { throw .scoreboard(error) }
    }

    /// Tells the workers to stop and lets them finish. Returns true when none had to be killed.
    private func stop(_ pool: WorkerPool, with signal: Int32, _ signals: SignalQueue) -> Bool {
        pool.signalAll(signal)
        let deadline = MonotonicClock.now + .seconds(options.drainSeconds)
        while !pool.isEmpty {
            let left = deadline - MonotonicClock.now
            if left <= .zero {
                pool.killAll()
                return false
            }
            // A second signal asks for an immediate end, without waiting for another supervisor's workers.
            switch signals.next(orReadable: nil, within: min(left, .milliseconds(100))) {
            case SIGTERM, SIGINT: pool.signalAll(SIGINT)
            default: break
            }
            pool.reap()
        }
        return true
    }
}
