import Glibc
import Testing

@testable import Confinement

@Suite("Confinement / confined process")
struct ConfinedProcessTests {
    private func deadline(_ duration: Duration = .seconds(60)) -> SuspendingClock.Instant { .now + duration }

    /// `cat` returns each message as it is.
    private func cat() throws -> ConfinedProcess {
        try ConfinedProcess(.init(executable: "/bin/cat", arguments: ["cat"]))
    }

    @Test("messages pass in both directions")
    func echo() throws {
        let process = try cat()
        let message = Message([[1, 2, 3], nil, []])
        try process.send(message, until: deadline())
        #expect(try process.receive(atMost: 1_000, until: deadline()) == message)
        #expect(process.isQuiet)
        #expect(process.end() == .ended && process.end() == .ended)
    }

    @Test("a message over the limit is malformed")
    func tooLong() throws {
        let process = try cat()
        try process.send(Message([[1, 2, 3]]), until: deadline())
        #expect(throws: ConfinedProcess.MessageError.malformed) { try process.receive(atMost: 6, until: deadline()) }
    }

    @Test("a process that sends nothing times out")
    func timeout() throws {
        let process = try cat()
        #expect(throws: ConfinedProcess.MessageError.timedOut) {
            try process.receive(atMost: 100, until: deadline(.milliseconds(20)))
        }
    }

    @Test("a process that has ended closes its socket, and its exit status is known")
    func ended() throws {
        let process = try ConfinedProcess(.init(executable: "/bin/sh", arguments: ["sh", "-c", "exit 3"]))
        #expect(throws: ConfinedProcess.MessageError.closed) { try process.receive(atMost: 100, until: deadline()) }
        #expect(process.end(after: .seconds(60)) == .exited(3))
    }

    @Test("an interrupted process closes its socket")
    func interrupt() throws {
        let process = try cat()
        process.interrupt()
        #expect(throws: ConfinedProcess.MessageError.closed) { try process.receive(atMost: 100, until: deadline()) }
    }

    @Test("a missing program cannot be started")
    func missing() {
        #expect(throws: ConfinedProcess.NotStarted.self) {
            try ConfinedProcess(.init(executable: "/nonexistent", arguments: ["x"]))
        }
    }

    @Test("the environment is empty and no other descriptor is open")
    func isolated() throws {
        let script =
            "test -z \"$(env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=)\" && test ! -e /proc/$$/fd/3 && exit 42"
        let process = try ConfinedProcess(.init(executable: "/bin/sh", arguments: ["sh", "-c", script]))
        #expect(process.end(after: .seconds(60)) == .exited(42))
    }
}
