internal import CFastCGI
internal import Glibc

/// Owns the listening socket of a pool and keeps its workers running.
///
/// SIGTERM and SIGINT: takes the socket away, lets the workers finish, and ends. SIGHUP: replaces the workers one by one,
/// each told to go only when its successor is ready. Workers that die are started again; workers that served enough
/// are replaced like at SIGHUP. A successor may take the pool over, see `HandoverSocket`.
public final class Supervisor {
    private let options: SupervisorOptions
    private let report: (SupervisorEvent) -> Void

    /// `report` is called on the thread that runs the supervisor, and shall not block for long.
    public init(options: SupervisorOptions, report: @escaping (SupervisorEvent) -> Void) {
        self.options = options
        self.report = report
    }

    /// The pid of the supervisor that runs on a socket (0 if it cannot be read); nil when none does.
    public static func running(on socketPath: String) -> Int32? { ListeningSocket.owner(of: socketPath) }

    /// Runs the pool until told to stop or until a successor has taken it over. Returns the exit status: 0, or 1 when
    /// workers had to be killed.
    ///
    /// To be called by the main thread, before there are others: signals are blocked for all threads, and workers
    /// end when the thread that started them does.
    public func run() throws(SupervisorFailure) -> Int32 {
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
        if options.ifRunning == .takeOver, let predecessor = try PreviousSupervisor(on: options.socketPath) {
            return try succeed(predecessor, signals)
        }
        let socket = try ListeningSocket(path: options.socketPath, mode: options.socketMode, backlog: options.backlog)
        let estate = HandoverState(listener: socket.descriptor, lock: socket.lock, adoption: try makeAdoption())
        let board = try draftScoreboard()
        try publish(board)
        return try reign(over: Pool(options: options, estate, board: board, report: report), socket, estate, signals)
    }

    /// Starts our workers beside those of another supervisor and goes on in its place.
    private func succeed(
        _ predecessor: borrowing PreviousSupervisor, _ signals: SignalQueue
    ) throws(SupervisorFailure) -> Int32 {
        let before = ListeningSocket.owner(of: options.socketPath)
        let board = try draftScoreboard()
        let pool = Pool(options: options, predecessor.estate, board: board, report: report)
        guard becomesReady(pool, signals) else {
            // Not SIGINT: they give what they have to the workers that stay.
            _ = end(pool, by: SIGTERM, signals)
            throw .takeoverFailed(from: before)
        }
        predecessor.letGo()
        try publish(board)
        let socket = ListeningSocket(path: options.socketPath, from: predecessor.estate)
        socket.sign()
        report(.tookOver)
        return try reign(over: pool, socket, predecessor.estate, signals)
    }

    /// Whether all workers become ready in time; that some keep dying at their start says no at once.
    private func becomesReady(_ pool: Pool, _ signals: SignalQueue) -> Bool {
        let deadline = Clock.now + .seconds(options.readySeconds)
        while true {
            pool.tend()
            if pool.isReady { return true }
            if pool.isFailing || Clock.now >= deadline { return false }
            switch signals.next(orReadable: nil, within: pool.patience) {
            case SIGTERM, SIGINT: return false
            default: break
            }
        }
    }

    private func reign(
        over pool: Pool, _ socket: borrowing ListeningSocket, _ estate: HandoverState, _ signals: SignalQueue
    ) throws(SupervisorFailure) -> Int32 {
        var door = try HandoverSocket(of: options.socketPath)
        while true {
            pool.tend()
            switch signals.next(orReadable: door.descriptor, within: pool.patience) {
            case SIGTERM, SIGINT:
                report(.stopping)
                socket.withdraw()
                door.withdraw()
                // Not SIGTERM: it would have them give their connections to each other.
                return end(pool, by: SIGINT, signals) ? 0 : 1
            case SIGHUP: pool.reload()
            default: break
            }
            if case .successorIsReady = door.look(giving: estate) {
                report(.handedOver)
                // The names belong to the successor now, and so does whatever the workers leave.
                return end(pool, by: SIGTERM, signals) ? 0 : 1
            }
        }
    }

    private func makeAdoption() throws(SupervisorFailure) -> ConnectionHandover {
        // SEQPACKET keeps messages apart like datagrams, but is not bound to the ten that wait of those.
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0 else {
            throw .system(call: "socketpair", path: options.socketPath, errno: errno)
        }
        let adoption = ConnectionHandover(giving: Descriptors.outOfTheWay(pair[0]), taking: Descriptors.outOfTheWay(pair[1]))
        // When nobody takes for so long, a leaving worker shall close its connections rather than wait.
        var time = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(adoption.giving, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return adoption
    }

    private func draftScoreboard() throws(SupervisorFailure) -> Scoreboard {
        do throws(Scoreboard.Failure) {
            return try Scoreboard.draft(path: options.scoreboardPath, counters: options.counters)
        } catch { throw .scoreboard(error) }
    }

    private func publish(_ board: Scoreboard) throws(SupervisorFailure) {
        do throws(Scoreboard.Failure) { try board.publish() } catch { throw .scoreboard(error) }
    }

    /// Tells the workers to go and lets them finish; true when none had to be killed.
    private func end(_ pool: Pool, by signal: Int32, _ signals: SignalQueue) -> Bool {
        pool.tellAll(signal)
        let deadline = Clock.now + .seconds(options.drainSeconds)
        while !pool.isEmpty {
            let left = deadline - Clock.now
            if left <= .zero {
                pool.killAll()
                return false
            }
            // Whoever wants an end now does not want to wait for successors.
            switch signals.next(orReadable: nil, within: min(left, .milliseconds(100))) {
            case SIGTERM, SIGINT: pool.tellAll(SIGINT)
            default: break
            }
            pool.reap()
        }
        return true
    }
}
