import App
import ArgumentParser
import FastCGI
import Glibc
import JSON
import Processes
import Settings
import Telemetry

struct FCGICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fcgi",
        abstract: "Run the pool of FastCGI workers, or print its status.",
        discussion: """
            Owns the unix socket and keeps the workers running. SIGTERM finishes the requests in flight and stops; SIGHUP \
            replaces the workers one by one without losing a request. With --take-over, this pool replaces one that already \
            runs on the socket, with its own settings, also without losing a request.
            """)

    @Flag(help: "Print the state of each worker of the running pool, and exit.")
    var status = false

    @Flag(help: "With --status: print JSON.")
    var json = false

    @Flag(help: "Replace the pool that runs on this socket, if there is one.")
    var takeOver = false

    func run() throws {
        let settings = try Settings(environment: Environment.all)
        let directory = settings.text("RUN_DIR")
        let board = directory + "/fcgi.scoreboard"
        if status { return try printStatus(board) }

        let log = Log(program: "lectern fcgi", level: settings.text("LOG_LEVEL"))
        let socket = settings.text("FCGI_SOCKET").isEmpty ? directory + "/fcgi.sock" : settings.text("FCGI_SOCKET")
        var options = SupervisorOptions(
            socketPath: socket, scoreboardPath: board, workers: SupervisorOptions.workers(settings),
            executable: try Self.workerProgram())
        options.counters = Metrics.counters
        options.ifRunning = takeOver ? .takeOver : .refuse
        options.drainSeconds = settings.number("DRAIN_TIMEOUT") + 1
        log(.poolReady(workers: options.workers, socket: socket))
        let supervisor = Supervisor(options: options) { event in
            if let logEvent = LoggedEvent(event) { log(logEvent) }
        }
        do {
            throw ExitCode(try supervisor.run())
        } catch let failure as SupervisorFailure {
            throw CommandError(Self.message(for: failure))
        }
    }

    /// The path of `lectern-fcgi` beside this program. The path in argv[0] comes first: below a directory that only the
    /// caller may cross, the absolute path does not work.
    private static func workerProgram() throws -> String {
        let called = CommandLine.arguments[0]
        if let slash = called.lastIndex(of: "/") { return called[...slash] + "lectern-fcgi" }
        guard let path = OwnProgram.sibling("lectern-fcgi") else {
            throw CommandError("cannot find the path of this program")
        }
        return path
    }

    private static func message(for failure: SupervisorFailure) -> String {
        switch failure {
        case .alreadyRunning(let path, let pid):
            "a pool already runs on \(path)\(pid.map { " (pid \($0))" } ?? "")"
        case .pathTaken(let path): "\(path) is in use by something other than a Lectern pool"
        case .takeoverFailed(let pid):
            "the new workers did not start; the running pool\(pid.map { " (pid \($0))" } ?? "") keeps running"
        case .system(let call, let path, let code): "\(call) \(path): \(String(cString: strerror(code)))"
        case .scoreboard(let failure): "cannot create the scoreboard: \(failure)"
        }
    }

    private func printStatus(_ path: String) throws {
        guard let board = try? Scoreboard.open(path: path) else { throw CommandError("no pool is running (\(path))") }
        let workers = board.snapshot().filter { $0.state != .free && $0.state != .dead && kill($0.pid, 0) == 0 }
        let now = time(nil)
        if json {
            let rows = workers.map { worker in
                JSONText.object([
                    ("pid", String(worker.pid)), ("state", JSONText.string("\(worker.state)")),
                    ("seconds", String(now - worker.startedAt)), ("threads", String(worker.threads)),
                    ("busy", String(worker.busyThreads)), ("waiting", String(worker.waitingRequests)),
                    ("held", String(worker.heldRequests)), ("connections", String(worker.openConnections)),
                    ("requests", String(worker.requestsServed)),
                ])
            }
            print("[" + rows.joined(separator: ",") + "]")
            return
        }
        guard !workers.isEmpty else { throw CommandError("no worker is running (\(path))") }
        print(Table.line(["PID", "STATE", "SECONDS", "THREADS", "BUSY", "WAITING", "HELD", "CONNECTIONS", "REQUESTS"]))
        for worker in workers {
            print(
                Table.line([
                    "\(worker.pid)", "\(worker.state)", "\(now - worker.startedAt)", "\(worker.threads)",
                    "\(worker.busyThreads)", "\(worker.waitingRequests)", "\(worker.heldRequests)",
                    "\(worker.openConnections)", "\(worker.requestsServed)",
                ]))
        }
    }
}

extension LoggedEvent {
    /// The log line for an event of the pool; nil for events that are not logged.
    init?(_ event: SupervisorEvent) {
        switch event {
        case .workerStarted(_, let pid): self = .workerStarted(pid: pid)
        case .workerExited(let pid, let exit, _): self = .workerEnded(pid: pid, how: "\(exit)")
        case .workerKilled(let pid): self = .workerEnded(pid: pid, how: "killed: it did not stop in time")
        case .workerNotStarted(_, let code):
            self = .workerEnded(pid: 0, how: "could not be started: \(String(cString: strerror(code)))")
        case .startDelayed(_, let delay): self = .workerDelayed(seconds: delay.milliseconds / 1_000)
        case .workerReplaced(_, let old, let new): self = .workerReplaced(old: old, new: new)
        case .replacementFailed:
            self = .workerEnded(pid: 0, how: "the replacement did not become ready; the old worker stays")
        case .stopping, .handedOver: self = .poolStopping
        case .reloading, .tookOver, .workerReady: return nil
        }
    }
}
