import Glibc
import Processes
import Testing

@Suite("Processes / child process")
struct ChildProcessTests {
    /// Runs a script of sh and returns what it wrote to descriptor 1.
    private func output(
        of script: String, change: (inout ChildProcess.LaunchOptions) -> Void = { _ in }
    ) throws -> String {
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        defer { close(pipes[0]) }
        var options = ChildProcess.LaunchOptions(executable: "/bin/sh", arguments: ["sh", "-c", script])
        options.descriptors = [
            0: .file("/dev/null", flags: O_RDONLY), 1: .copy(pipes[1]), 2: .file("/dev/null", flags: O_WRONLY),
        ]
        change(&options)
        let child = try ChildProcess(options)
        close(pipes[1])
        child.waitForExit()
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(pipes[0], &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func exit(of script: String) throws -> ProcessExit? {
        let child = try ChildProcess(.init(executable: "/bin/sh", arguments: ["sh", "-c", script]))
        var exit: ProcessExit?
        while exit == nil {
            exit = child.exit()
            usleep(1_000)
        }
        return exit
    }

    @Test("the end of a process is reported")
    func ends() throws {
        #expect(try exit(of: "exit 3") == .status(3))
        #expect(try exit(of: "kill -s KILL $$") == .signal(SIGKILL))
    }

    @Test("a process has only the descriptors that are named")
    func descriptors() throws {
        #expect(try output(of: "cd /proc/self/fd && echo [0-9]*").hasPrefix("0 1 2"))
        let withNine = try output(of: "for n in 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$n && echo $n; done") {
            $0.descriptors[9] = .file("/", flags: O_RDONLY)
        }
        #expect(withNine == "9\n")
    }

    @Test("a process has only the variables that are named, and the given folder")
    func surroundings() throws {
        let output = try output(of: "echo $A $HOME $PWD") {
            $0.environment = ["A=b c"]
            $0.folder = "/proc"
        }
        #expect(output == "b c /proc\n")
    }

    @Test("a process leads a session of its own when asked")
    func session() throws {
        let own = "test $(cut -d ' ' -f 6 /proc/$$/stat) = $$ && echo own || echo shared"
        let environment = ["PATH=/usr/bin:/bin"]
        #expect(try output(of: own) { $0.environment = environment } == "shared\n")
        let changed = try output(of: own) {
            $0.environment = environment
            $0.session = .own
        }
        #expect(changed == "own\n")
    }

    @Test("a missing program is an error")
    func missing() {
        #expect(throws: ChildProcess.NotStarted.self) {
            try ChildProcess(.init(executable: "/nonexistent", arguments: ["x"]))
        }
    }
}
