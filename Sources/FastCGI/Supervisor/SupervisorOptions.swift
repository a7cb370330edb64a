public import Processes

/// The settings of a pool of workers.
public struct SupervisorOptions: Sendable {
    /// The path of the unix socket, at most 102 bytes long. Beside it are `<path>.lock`, which contains the
    /// supervisor's pid, and `<path>.next`, the socket through which the next supervisor takes over.
    public var socketPath: String
    /// The socket's permissions: owner and group may connect, so that the web server can be in the group.
    public var socketMode: UInt32 = 0o660
    /// The most connections that the kernel queues.
    public var backlog: Int32 = 1_024
    /// The path of the scoreboard file.
    public var scoreboardPath: String
    /// The number of counters of each worker, for the caller's metrics.
    public var counters: Int = 512
    /// Worker processes, from 1 to 24: a scoreboard has 64 slots, and replacements need their own.
    public var workers: Int
    public static let mostWorkers = 24
    /// What to do when another supervisor owns the socket.
    public var ifRunning = IfRunning.refuse
    /// The path of the worker program.
    public var executable: String
    /// The program's arguments without its name.
    public var arguments: [String] = []
    /// The program's environment, to which the pool adds its variables. Nil passes this process's environment on.
    public var environment: [String: String]?
    /// How long a worker may take to stop, in seconds. Longer than the workers' own `drainSeconds`, so that they can
    /// report themselves that they were late.
    public var drainSeconds = 32
    /// How long a replacement, or a pool that takes over, may take to become ready, in seconds.
    public var readySeconds = 30
    /// A single failure may be an accident, so the first restart follows at once. A start every ten seconds hardly loads
    /// a machine and still notices a fix soon.
    public var restart = RestartPolicy(
        steadyAfter: .seconds(1),
        pauses: [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000].map { .milliseconds($0) })

    public enum IfRunning: Sendable {
        /// Fail without touching the other pool.
        case refuse
        /// Replace its workers and end it without losing a request.
        case takeOver
    }

    public init(socketPath: String, scoreboardPath: String, workers: Int, executable: String) {
        self.socketPath = socketPath
        self.scoreboardPath = scoreboardPath
        self.workers = workers
        self.executable = executable
    }
}
