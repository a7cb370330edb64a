import CFastCGI
import Foundation
import Testing
import Threads

@testable import FastCGI

/// A short private directory that goes with its owner.
final class Place {
    let path: String

    init() {
        var template = Array("/tmp/pool-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no directory under /tmp: errno \(errno)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// The test-only program, as a worker alone or as a pool; killed with its owner.
final class EchoProcess {
    static let executable = OwnProgram.sibling("echo-fcgi") ?? "echo-fcgi"

    let place: Place
    let socketPath: String
    let scoreboardPath: String
    private let process = Process()
    private let output: String

    var pid: Int32 { process.processIdentifier }

    /// One worker on a listening socket, without a supervisor; has answered a request unless told otherwise. Before it is
    /// ready, a signal ends it.
    static func worker(_ environment: [String: String] = [:], untilReady: Bool = true) throws -> EchoProcess {
        let echo = EchoProcess(environment, in: Place())
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        try #require(fastcgi_bind(listener, echo.socketPath) == 0 && listen(listener, 128) == 0)
        echo.process.standardInput = FileHandle(fileDescriptor: listener)
        try echo.process.run()
        if untilReady {
            let peer = try echo.peer()
            _ = try peer.ask(Records.request("/pid", keep: false))
            // Nothing of this request is left then.
            try #require(peer.isClosed())
        }
        return echo
    }

    /// A supervisor with its workers, all of them ready unless told otherwise.
    static func pool(
        workers: Int, _ environment: [String: String] = [:], in place: Place = Place(), untilReady: Bool = true,
        as role: String = "supervise"
    ) throws -> EchoProcess {
        let echo = EchoProcess(environment, in: place)
        echo.process.arguments = [role, echo.socketPath, echo.scoreboardPath, String(workers)]
        echo.process.standardInput = FileHandle.nullDevice
        try echo.process.run()
        if untilReady { try #require(eventually { echo.count("workerReady") >= workers }, "\(echo.events)") }
        return echo
    }

    private init(_ environment: [String: String], in place: Place) {
        self.place = place
        socketPath = place.file("s")
        scoreboardPath = place.file("board")
        output = place.file("out-\(UInt32.random(in: .min ... .max))")
        process.executableURL = URL(filePath: Self.executable)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: output)
    }

    deinit {
        // A supervisor's workers end with it.
        if process.isRunning { kill(pid, SIGKILL) }
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// The query of a `/sleep` or `/slow` that is not answered before the gate is open.
    var untilGate: String { "until=\(gate)" }

    func openGate() { _ = FileManager.default.createFile(atPath: gate, contents: nil) }

    private var gate: String { place.file("gate") }

    /// The exit status, once it has ended; nil when it was a signal.
    func wait() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// What the supervisor reported, one event a line.
    var events: [String] {
        (try? String(contentsOfFile: output, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    func count(_ event: String) -> Int { events.count { $0.hasPrefix(event) } }

    /// Workers on the scoreboard, in slot order.
    var workers: [SlotReport] { (try? Scoreboard.open(path: scoreboardPath).snapshot()) ?? [] }

    func peer() throws -> Peer { try Peer(path: socketPath, of: self) }

    /// Open descriptors of a process.
    static func descriptors(of pid: Int32) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []).count
    }
}

/// Waits until something holds; false when it does not within a minute, which only a failure takes.
func eventually(_ holds: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if holds() { return true }
        usleep(5_000)
    }
    return holds()
}
