internal import CFastCGI
internal import Glibc

/// Owns the listening socket of a pool and keeps its workers running.
///
/// SIGTERM and SIGINT: takes the socket away, lets the workers finish, and ends. SIGHUP: replaces the workers one by one,
/// each told to go only when its successor is ready. Workers that die are started again; workers that served enough
/// are replaced like at SIGHUP.
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

    /// Runs the pool until told to stop. Returns the exit status: 0, or 1 when workers had to be killed.
    ///
    /// To be called by the main thread, before there are others: signals are blocked for all threads, and workers
    /// end when the thread that started them does.
    public func run() throws(SupervisorFailure) -> Int32 {
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
        let socket = try ListeningSocket(path: options.socketPath, mode: options.socketMode, backlog: options.backlog)
        let pool = try openPool(listener: socket.descriptor)
        loop: while true {
            pool.tend()
            switch signals.next(orReadable: nil, within: pool.patience) {
            case SIGTERM, SIGINT: break loop
            case SIGHUP: pool.reload()
            default: break
            }
        }
        report(.stopping)
        socket.withdraw()
        return stop(pool, signals) ? 0 : 1
    }

    private func openPool(listener: Int32) throws(SupervisorFailure) -> Pool {
        let board: Scoreboard
        do throws(Scoreboard.Failure) {
            board = try Scoreboard.create(path: options.scoreboardPath, counters: options.counters)
        } catch { throw .scoreboard(error) }
        // SEQPACKET keeps messages apart like datagrams, but is not bound to the ten that wait of those.
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0 else {
            throw .system(call: "socketpair", path: options.socketPath, errno: errno)
        }
        let adoption = Adoption(giving: Descriptors.outOfTheWay(pair[0]), taking: Descriptors.outOfTheWay(pair[1]))
        // When nobody takes for so long, a leaving worker shall close its connections rather than wait.
        var time = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(adoption.giving, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return Pool(options: options, listener: listener, adoption: adoption, board: board, report: report)
    }

    /// Lets the workers finish; true when none had to be killed.
    private func stop(_ pool: Pool, _ signals: SignalQueue) -> Bool {
        // Not SIGTERM: it would have them give their connections to each other.
        pool.tellAll(SIGINT)
        let deadline = Clock.now + .seconds(options.drainSeconds)
        while !pool.isEmpty {
            let left = deadline - Clock.now
            if left <= .zero {
                pool.killAll()
                return false
            }
            _ = signals.next(orReadable: nil, within: min(left, .milliseconds(100)))
            pool.reap()
        }
        return true
    }
}
