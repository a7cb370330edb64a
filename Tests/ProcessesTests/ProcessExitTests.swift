import Glibc
import Processes
import Testing

@Suite("Processes / process exit")
struct ProcessExitTests {
    @Test(
        "a wait status is decoded to an exit status or a signal",
        arguments: [
            (Int32(0), ProcessExit.status(0)), (7 << 8, .status(7)), (255 << 8, .status(255)),
            (SIGKILL, .signal(SIGKILL)),
            (SIGABRT | 0x80, .signal(SIGABRT)),
        ])
    func decode(waitStatus: Int32, exit: ProcessExit) { #expect(ProcessExit(waitStatus: waitStatus) == exit) }

    @Test("a shell adds 128 to a signal")
    func shellStatus() {
        #expect(ProcessExit.status(3).shellStatus == 3)
        #expect(ProcessExit.signal(SIGKILL).shellStatus == 137)
    }
}
