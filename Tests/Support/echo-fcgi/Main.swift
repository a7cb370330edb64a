import FastCGI
import Glibc
import Processes

/// `echo-fcgi` is a worker or a CGI program, as `lectern-fcgi` is; `echo-fcgi supervise SOCKET SCOREBOARD WORKERS` runs
/// a pool of itself and writes its events to stdout, one per line. With `take-over` it takes over a running pool.
///
/// Environment variables for tests: ECHO_THREADS, ECHO_WAITING, ECHO_RECYCLE, ECHO_BODY_LIMIT, ECHO_BODY_FOLDER, ECHO_DRAIN,
/// ECHO_IO_TIMEOUT, ECHO_LIMIT, ECHO_HOLD and ECHO_HELD for the limits of sources, ECHO_PROGRAM for another worker
/// program, ECHO_STUBBORN for a worker that waits longer than its supervisor, ECHO_DIE to end right after the start, and
/// ECHO_LATE for a worker that does not become ready.
@main
enum Main {
    static func main() {
        if CommandLine.arguments.count == 5, ["supervise", "take-over"].contains(CommandLine.arguments[1]) {
            exit(supervise(CommandLine.arguments[2], CommandLine.arguments[3], Int(CommandLine.arguments[4]) ?? 1))
        }
        if getenv("ECHO_DIE") != nil { exit(7) }
        exit(Worker.isOnSocket ? work() : CGI.serveOnce(Echo(), options: workerOptions()))
    }

    private static func work() -> Int32 {
        do {
            let membership = try PoolMembership.inherited()
            return Worker(options: workerOptions(), membership: membership) {
                if getenv("ECHO_LATE") != nil { sleep(60) }
                return Echo(slot: membership?.slot, limit: number("ECHO_LIMIT", else: 1))
            }.run()
        } catch {
            say("\(error)")
            return 1
        }
    }

    private static func supervise(_ socket: String, _ scoreboard: String, _ workers: Int) -> Int32 {
        var options = SupervisorOptions(
            socketPath: socket, scoreboardPath: scoreboard, workers: workers,
            executable: getenv("ECHO_PROGRAM").map { String(cString: $0) } ?? OwnProgram.executable)
        options.counters = 4
        options.ifRunning = CommandLine.arguments[1] == "take-over" ? .takeOver : .refuse
        options.drainSeconds = number("ECHO_DRAIN", else: 10) + 1
        do {
            return try Supervisor(options: options, report: { say("\($0)") }).run()
        } catch {
            say("\(error)")
            return 1
        }
    }

    private static func workerOptions() -> WorkerOptions {
        var options = WorkerOptions()
        options.threads = number("ECHO_THREADS", else: 4)
        options.slowRequests = number("ECHO_WAITING", else: 100)
        options.holdMilliseconds = number("ECHO_HOLD", else: 60_000)
        options.heldRequestsOfSource = number("ECHO_HELD", else: options.heldRequestsOfSource)
        options.recycleAfter = number("ECHO_RECYCLE", else: 0)
        options.bodyLimit = number("ECHO_BODY_LIMIT", else: 10 << 20)
        if let folder = getenv("ECHO_BODY_FOLDER") {
            options.bodyFolder = BodyFolder(path: String(cString: folder), limit: 1 << 20) { $0.path == "/file" }
        }
        options.drainSeconds = getenv("ECHO_STUBBORN") == nil ? number("ECHO_DRAIN", else: 10) : 60
        options.ioTimeoutSeconds = number("ECHO_IO_TIMEOUT", else: 2)
        return options
    }

    private static func number(_ name: String, else other: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? other
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        write(STDOUT_FILENO, bytes, bytes.count)
    }
}
