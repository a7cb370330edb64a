import Glibc
import Testing

@testable import Confinement

@Suite("Confinement / process exit")
struct ProcessExitTests {
    @Test(
        "a wait status distinguishes limits, exits and signals",
        arguments: [
            (81 << 8, ProcessExit.outOfMemory), (82 << 8, .outOfTime), (0, .exited(0)), (3 << 8, .exited(3)),
            (SIGSEGV, .signalled(SIGSEGV)), (SIGSYS | 0x80, .signalled(SIGSYS)),
        ] as [(Int32, ProcessExit)])
    func decoded(status: Int32, end: ProcessExit) { #expect(ProcessExit(waitStatus: status) == end) }

    @Test("an exit has a description")
    func words() {
        #expect(ProcessExit.signalled(SIGSYS).description == "was killed for a forbidden system call")
        #expect(ProcessExit.signalled(SIGKILL).description == "was killed by signal 9 (Killed)")
        #expect(ProcessExit.exited(7).description == "exited with status 7")
    }
}
