import CFastCGI
import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / worker exit")
struct WorkerExitTests {
    @Test(
        "a wait status is decoded to an exit status or a signal",
        arguments: [
            (Int32(0), WorkerExit.status(0)), (7 << 8, .status(7)), (255 << 8, .status(255)),
            (SIGKILL, .signal(SIGKILL)),
            (SIGABRT | 0x80, .signal(SIGABRT)),
        ])
    func decode(waitStatus: Int32, exit: WorkerExit) { #expect(WorkerExit(waitStatus: waitStatus) == exit) }
}
