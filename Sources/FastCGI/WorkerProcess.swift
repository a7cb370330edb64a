internal import CFastCGI
internal import Glibc

/// A worker, as its supervisor sees it.
struct WorkerProcess {
    let pid: Int32
    let slot: ScoreboardSlot
    let startedAt: Duration
    /// It was told to go, or goes on its own.
    var killAt: Duration?
    var wasReportedReady = false

    /// What every worker of a pool is started with.
    struct Recipe {
        let executable: String
        let arguments: [String]
        /// `name=value` each.
        let environment: [String]
        let listener: Int32
        let adoption: ConnectionHandover
        let scoreboard: Scoreboard

        init(_ options: SupervisorOptions, listener: Int32, adoption: ConnectionHandover, scoreboard: Scoreboard) {
            executable = options.executable
            arguments = options.arguments
            self.listener = listener
            self.adoption = adoption
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

    /// Starts a worker with the listener as stdin, the adoption pair as 3 and 4, the scoreboard as 5, and nothing else of
    /// ours open.
    static func start(_ recipe: Recipe, in slot: ScoreboardSlot) throws(NotStarted) -> WorkerProcess {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, recipe.listener, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, recipe.adoption.giving, ConnectionHandover.inherited.giving)
        posix_spawn_file_actions_adddup2(&actions, recipe.adoption.taking, ConnectionHandover.inherited.taking)
        if let board = recipe.scoreboard.file {
            posix_spawn_file_actions_adddup2(&actions, board, PoolMembership.scoreboardDescriptor)
        }
        fastcgi_spawn_close_from(&actions, PoolMembership.scoreboardDescriptor + 1)

        // A child inherits blocked and ignored signals; ours are not its.
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
        let environment = recipe.environment + ["\(PoolMembership.Variable.slot)=\(slot.index)"]
        let result = withCStrings([recipe.executable] + recipe.arguments) { arguments in
            withCStrings(environment) { posix_spawn(&pid, recipe.executable, &actions, &attributes, arguments, $0) }
        }
        guard result == 0 else { throw NotStarted(errno: result) }
        slot.set(pid: pid)
        return WorkerProcess(pid: pid, slot: slot, startedAt: Clock.now)
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// How it ended, once it has; takes it off the kernel's list.
    func exit() -> WorkerExit? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? WorkerExit(waitStatus: status) : nil
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }  // Never empty: it ends with nil.
    }
}
