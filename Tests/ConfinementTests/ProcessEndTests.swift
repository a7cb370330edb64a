import Glibc
import Testing

@testable import Confinement

@Suite("Confinement / how a process ended")
struct ProcessEndTests {
    @Test("a wait status tells limits, exits and signals apart", arguments: [
        (81 << 8, ProcessEnd.outOfMemory), (82 << 8, .outOfTime), (0, .exited(0)), (3 << 8, .exited(3)),
        (SIGSEGV, .signalled(SIGSEGV)), (SIGSYS | 0x80, .signalled(SIGSYS)),
    ] as [(Int32, ProcessEnd)])
    func told(status: Int32, end: ProcessEnd) { #expect(ProcessEnd(waitStatus: status) == end) }

    @Test("an end can be told in words")
    func words() {
        #expect(ProcessEnd.signalled(SIGSYS).description == "was ended for a system call it may not make")
        #expect(ProcessEnd.signalled(SIGKILL).description == "was ended by signal 9 (Killed)")
        #expect(ProcessEnd.exited(7).description == "left with status 7")
    }
}
