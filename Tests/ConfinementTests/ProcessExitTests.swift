import Glibc
import Testing

@testable import Confinement

@Suite("Confinement / how a process ended")
struct ProcessEndTests {
    @Test("a wait status tells limits, exits and signals apart", arguments: [
        (81 << 8, ProcessExit.outOfMemory), (82 << 8, .outOfTime), (0, .exited(0)), (3 << 8, .exited(3)),
        (SIGSEGV, .signalled(SIGSEGV)), (SIGSYS | 0x80, .signalled(SIGSYS)),
    ] as [(Int32, ProcessExit)])
    func told(status: Int32, end: ProcessExit) { #expect(ProcessExit(waitStatus: status) == end) }

    @Test("an end can be told in words")
    func words() {
        #expect(ProcessExit.signalled(SIGSYS).description == "was ended for a system call it may not make")
        #expect(ProcessExit.signalled(SIGKILL).description == "was ended by signal 9 (Killed)")
        #expect(ProcessExit.exited(7).description == "left with status 7")
    }
}
