import Glibc
import Processes
import Testing

@testable import Confinement

@Suite("Confinement / confined exit")
struct ConfinedExitTests {
    @Test(
        "an exit distinguishes limits, exits and signals",
        arguments: [
            (ProcessExit.status(81), ConfinedExit.outOfMemory), (.status(82), .outOfTime), (.status(0), .exited(0)),
            (.status(3), .exited(3)), (.signal(SIGSEGV), .signalled(SIGSEGV)), (.signal(SIGSYS), .signalled(SIGSYS)),
        ])
    func explained(exit: ProcessExit, end: ConfinedExit) { #expect(ConfinedExit(exit) == end) }

    @Test("an exit has a description")
    func words() {
        #expect(ConfinedExit.signalled(SIGSYS).description == "was killed for a forbidden system call")
        #expect(ConfinedExit.signalled(SIGKILL).description == "was killed by signal 9 (Killed)")
        #expect(ConfinedExit.exited(7).description == "exited with status 7")
    }
}
