internal import CFastCGI
internal import Glibc
internal import Processes

/// A worker process, from the supervisor's point of view.
struct WorkerProcess {
    private let process: ChildProcess
    let slot: ScoreboardSlot
    let startedAt: Duration
    /// When to kill the worker, which is stopping. Nil while it is not.
    var killAt: Duration?
    var wasReportedReady = false

    var pid: Int32 { process.pid }

    /// The inputs with which every worker of a pool is started: the listener as stdin, the connection handover sockets
    /// as 3 and 4, the scoreboard as 5, and no other descriptor of this process except stdout and stderr.
    struct LaunchOptions {
        let process: ChildProcess.LaunchOptions

        init(_ options: SupervisorOptions, _ state: HandoverState, scoreboard: Scoreboard) {
            let environment = options.environment?.map { "\($0.key)=\($0.value)" } ?? Self.ownEnvironment()
            var process = ChildProcess.LaunchOptions(
                executable: options.executable, arguments: [options.executable] + options.arguments,
                environment: environment + [
                    "\(PoolMembership.Variable.supervisor)=\(getpid())",
                    "\(PoolMembership.Variable.scoreboard)=\(PoolMembership.scoreboardPath)",
                ])
            let (handover, inherited) = (state.connectionHandover, ConnectionHandover.inherited)
            process.descriptors = [
                STDIN_FILENO: .copy(state.listener), STDOUT_FILENO: .copy(STDOUT_FILENO),
                STDERR_FILENO: .copy(STDERR_FILENO), inherited.sending: .copy(handover.sending),
                inherited.receiving: .copy(handover.receiving),
            ]
            process.descriptors[PoolMembership.scoreboardDescriptor] = scoreboard.file.map { .copy($0) }
            self.process = process
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

    static func start(
        _ launch: LaunchOptions, in slot: ScoreboardSlot
    ) throws(ChildProcess.NotStarted) -> WorkerProcess {
        var options = launch.process
        options.environment.append("\(PoolMembership.Variable.slot)=\(slot.index)")
        let process = try ChildProcess(options)
        slot.set(pid: process.pid)
        return WorkerProcess(process: process, slot: slot, startedAt: MonotonicClock.now)
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Returns how the process ended, or nil while it runs. Reaps it.
    func exit() -> ProcessExit? { process.exit() }
}
