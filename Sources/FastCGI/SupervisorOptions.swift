/// How a pool of workers is run.
public struct SupervisorOptions: Sendable {
    /// Where the unix socket is made; at most 102 bytes. Beside it stand `<path>.lock`, which holds our pid, and
    /// `<path>.heir`, where a successor asks for the pool.
    public var socketPath: String
    /// Who may connect: owner and group, so that the web server's group can be given.
    public var socketMode: UInt32 = 0o660
    /// Connections the kernel keeps waiting for us.
    public var backlog: Int32 = 1_024
    /// Where the scoreboard file is made.
    public var scoreboardPath: String
    /// Counters of each worker for the caller's metrics.
    public var counters: Int = 512
    /// Worker processes; from 1 to 24, because a scoreboard has 64 slots and replacements need their own.
    public var workers: Int
    public static let mostWorkers = 24
    /// What to do when a supervisor has the socket already.
    public var ifRunning = IfRunning.refuse
    /// Path of the worker program.
    public var executable: String
    /// Its arguments, its name not among them.
    public var arguments: [String] = []
    /// Its environment, to which the pool adds its own variables; nil hands on ours.
    public var environment: [String: String]?
    /// How long a worker that was told to go may take, in seconds. Longer than the workers' own `drainSeconds`,
    /// so that they can say themselves that they were late.
    public var drainSeconds = 32
    /// How long a replacement, or a whole pool that takes over, may take to become ready, in seconds.
    public var readySeconds = 30
    public var restart = RestartPolicy()

    public enum IfRunning: Sendable {
        /// Leave it alone, and fail.
        case refuse
        /// Have its workers replaced by ours, and it end, without losing a request.
        case takeOver
    }

    public init(socketPath: String, scoreboardPath: String, workers: Int, executable: String) {
        self.socketPath = socketPath
        self.scoreboardPath = scoreboardPath
        self.workers = workers
        self.executable = executable
    }
}

/// Why a pool could not begin.
public enum SupervisorFailure: Error, Equatable {
    /// Another supervisor, whose pid is given if it could be read, owns the socket.
    case alreadyRunning(socketPath: String, pid: Int32?)
    /// Some program that is no supervisor listens there, or what is there is no socket.
    case pathTaken(socketPath: String)
    /// Our workers do not become ready, so those of the supervisor whose pid is given stay.
    case takeoverFailed(from: Int32?)
    case system(call: String, path: String, errno: Int32)
    case scoreboard(Scoreboard.Failure)
}
