import CFastCGI
import Foundation
import Processes
import Testing

@testable import FastCGI

/// The program `echo-fcgi` as a single worker or as a pool. Killed with its owner.
final class EchoProcess {
    static let executable = OwnProgram.sibling("echo-fcgi") ?? "echo-fcgi"

    let folder: TemporaryFolder
    let socketPath: String
    let scoreboardPath: String
    private let process = Process()
    private let output: String

    var pid: Int32 { process.processIdentifier }

    /// Starts one worker on a listening socket, without a supervisor. It has answered a request unless `untilReady` is
    /// false. Before it is ready, a signal ends it.
    static func worker(_ environment: [String: String] = [:], untilReady: Bool = true) throws -> EchoProcess {
        let echo = EchoProcess(environment, in: TemporaryFolder())
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        try #require(fastcgi_bind(listener, echo.socketPath) == 0 && listen(listener, 128) == 0)
        echo.process.standardInput = FileHandle(fileDescriptor: listener)
        try echo.process.run()
        if untilReady {
            let peer = try echo.peer()
            _ = try peer.ask(Records.request("/pid", keep: false))
            // The request then leaves nothing behind.
            try #require(peer.isClosed())
        }
        return echo
    }

    /// Starts a supervisor with its workers. All are ready unless `untilReady` is false.
    static func pool(
        workers: Int, _ environment: [String: String] = [:], in folder: TemporaryFolder = TemporaryFolder(),
        untilReady: Bool = true, as role: String = "supervise"
    ) throws -> EchoProcess {
        let echo = EchoProcess(environment, in: folder)
        echo.process.arguments = [role, echo.socketPath, echo.scoreboardPath, String(workers)]
        echo.process.standardInput = FileHandle.nullDevice
        try echo.process.run()
        if untilReady { try #require(eventually { echo.count("workerReady") >= workers }, "\(echo.events)") }
        return echo
    }

    private init(_ environment: [String: String], in folder: TemporaryFolder) {
        self.folder = folder
        socketPath = folder.file("s")
        scoreboardPath = folder.file("board")
        output = folder.file("out-\(UInt32.random(in: .min ... .max))")
        process.executableURL = URL(filePath: Self.executable)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: output)
    }

    deinit {
        // A supervisor's workers end with the supervisor.
        if process.isRunning { kill(pid, SIGKILL) }
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// The query of a `/sleep` or `/slow` request that is answered only after the gate is opened.
    var untilGate: String { "until=\(gate)" }

    func openGate() { _ = FileManager.default.createFile(atPath: gate, contents: nil) }

    private var gate: String { folder.file("gate") }

    /// The query of a `/sleep` or `/slow` request whose start `hasStarted` shows.
    var markingStart: String { "started=\(mark)" }

    /// Whether the handler of the request with `markingStart` runs or has run.
    var hasStarted: Bool { FileManager.default.fileExists(atPath: mark) }

    private var mark: String { folder.file("started") }

    /// Waits for the end of the process. Returns its exit status, or nil when a signal ended it.
    func wait() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// The events that the supervisor reported, one per line.
    var events: [String] {
        (try? String(contentsOfFile: output, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    func count(_ event: String) -> Int { events.count { $0.hasPrefix(event) } }

    /// The workers on the scoreboard, in slot order.
    var workers: [SlotReport] { (try? Scoreboard.open(path: scoreboardPath).snapshot()) ?? [] }

    func peer() throws -> Peer { try Peer(path: socketPath, of: self) }

    /// The number of open descriptors of a process.
    static func descriptors(of pid: Int32) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []).count
    }
}
