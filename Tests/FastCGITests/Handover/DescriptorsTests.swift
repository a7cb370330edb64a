import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / descriptors")
struct DescriptorsTests {
    @Test("a moved descriptor lies above a worker's descriptors and is not inherited")
    func moved() {
        let moved = Descriptors.moveAboveWorkerRange(dup(0))
        defer { close(moved) }
        #expect(moved > PoolMembership.scoreboardDescriptor)
        #expect(fcntl(moved, F_GETFD) & FD_CLOEXEC != 0)
    }
}
