import CFastCGI
import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / poller")
struct PollerTests {
    private func pair() throws -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (pair[0], pair[1])
    }

    @Test("an armed connection is reported once, until it is armed again")
    func once() throws {
        let poller = Poller()
        let (near, far) = try pair()
        defer { for descriptor in [near, far] { close(descriptor) } }
        poller.arm(near, isNew: true)
        #expect(poller.wait(limit: 4, isBlocking: false).isEmpty)
        send(far, "a", 1, 0)
        #expect(poller.wait(limit: 4, isBlocking: true) == [.connection(near)])
        #expect(poller.wait(limit: 4, isBlocking: false).isEmpty)
        poller.arm(near, isNew: false)
        #expect(poller.wait(limit: 4, isBlocking: true) == [.connection(near)])
    }

    @Test("each descriptor is reported as the source it was registered for")
    func sources() throws {
        let poller = Poller()
        let descriptors = (0..<3).map { _ in eventfd(1, Int32(EFD_CLOEXEC)) }
        defer { for descriptor in descriptors { close(descriptor) } }
        poller.watchForAll(descriptors[0], as: .wake)
        poller.watchShared(descriptors[1], as: .listener)
        poller.watchShared(descriptors[2], as: .handover)
        let found = poller.wait(limit: 8, isBlocking: true)
        #expect(found.count == 3)
        for source in [Poller.Source.wake, .listener, .handover] { #expect(found.contains(source)) }
    }

    @Test("a removed descriptor is no longer reported")
    func removed() {
        let poller = Poller()
        let descriptor = eventfd(1, Int32(EFD_CLOEXEC))
        defer { close(descriptor) }
        poller.watchForAll(descriptor, as: .wake)
        poller.remove(descriptor)
        #expect(poller.wait(limit: 1, isBlocking: false).isEmpty)
    }
}
