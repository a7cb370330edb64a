internal import CFastCGI
internal import Glibc

/// A worker process, from the supervisor's point of view.
struct WorkerProcess {
    let pid: Int32
    let slot: ScoreboardSlot
    let startedAt: Duration
    /// When to kill the worker, which is stopping. Nil while it is not.
    var killAt: Duration?
    var wasReportedReady = false

    /// The inputs with which every worker of a pool is started.
    struct LaunchOptions {
        let executable: String
        let arguments: [String]
        /// Entries of the form `name=value`.
        let environment: [String]
        let listener: Int32
        let connectionHandover: ConnectionHandover
        let scoreboard: Scoreboard

        init(_ options: SupervisorOptions, _ state: HandoverState, scoreboard: Scoreboard) {
            executable = options.executable
            arguments = options.arguments
            listener = state.listener
            connectionHandover = state.connectionHandover
            self.scoreboard = scoreboard
            environment =
                (options.environment?.map { "\($0.key)=\($0.value)" } ?? Self.ownEnvironment()) + [
                    "\(PoolMembership.Variable.supervisor)=\(getpid())",
                    "\(PoolMembership.Variable.scoreboard)=\(PoolMembership.scoreboardPath)",
                ]
        }

        private static func ownEnvironment() -> [String] {
            var entries: [String] = []
            guard var next = fastcgi_environment() else { return [] }
            while let entry = next.pointee {
                entries.append(String(cString: entry))
                next += 1
            }
            return entries.filter { !$0.hasPrefix("FASTCGI_POOL_") }
        }
    }

    struct NotStarted: Error {
        let errno: Int32
    }

    /// Starts a worker with the listener as stdin, the connection handover sockets as 3 and 4, the scoreboard as 5, and
    /// no other descriptor of this process.
    static func start(_ launch: LaunchOptions, in slot: ScoreboardSlot) throws(NotStarted) -> WorkerProcess {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, launch.listener, STDIN_FILENO)
        let (handover, inherited) = (launch.connectionHandover, ConnectionHandover.inherited)
        posix_spawn_file_actions_adddup2(&actions, handover.sending, inherited.sending)
        posix_spawn_file_actions_adddup2(&actions, handover.receiving, inherited.receiving)
        if let board = launch.scoreboard.file {
            posix_spawn_file_actions_adddup2(&actions, board, PoolMembership.scoreboardDescriptor)
        }
        fastcgi_spawn_close_from(&actions, PoolMembership.scoreboardDescriptor + 1)

        // A child inherits blocked and ignored signals, so they are reset.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid: Int32 = 0
        let environment = launch.environment + ["\(PoolMembership.Variable.slot)=\(slot.index)"]
        let result = withCStrings([launch.executable] + launch.arguments) { arguments in
            withCStrings(environment) { posix_spawn(&pid, launch.executable, &actions, &attributes, arguments, $0) }
        }
        guard result == 0 else { throw NotStarted(errno: result) }
        slot.set(pid: pid)
        return WorkerProcess(pid: pid, slot: slot, startedAt: Clock.now)
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Returns how the process ended, or nil while it runs. Reaps it.
    func exit() -> WorkerExit? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? WorkerExit(waitStatus: status) : nil
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // The array has an address: it ends with nil, so it is not empty.
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }
}
