import CFastCGI
import Glibc
import Testing
import Threads

@testable import FastCGI

@Suite("FastCGI / handover socket")
struct HandoverSocketTests {
    private let folder = TemporaryFolder()

    private func state() throws -> HandoverState {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        let handover = ConnectionHandover(sending: pair[0], receiving: pair[1])
        return HandoverState(listener: dup(0), lock: dup(0), connectionHandover: handover)
    }

    @Test("without a handover socket there is no previous supervisor")
    func none() throws {
        if let previous = try PreviousSupervisor(on: folder.file("s")) {
            Issue.record("found a supervisor with descriptors \(previous.state.descriptors)")
        }
    }

    @Test("the next supervisor receives the descriptors and then reports that it is ready")
    func handover() throws {
        var socket = try HandoverSocket(of: folder.file("s"))
        let state = try state()
        let path = folder.file("s")
        let next = try #require(
            Thread {
                guard let previous = try? PreviousSupervisor(on: path) else { return }
                #expect(Set(previous.state.descriptors).count == 4)
                previous.stopWorkers()
            })
        var event = HandoverSocket.Event.none
        while event == .none {
            var watched = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&watched, 1, 60_000) == 1)
            event = socket.handleEvent(sending: state)
        }
        #expect(event == .nextIsReady)
        next.join()
    }

    @Test("a next supervisor that disappears leaves the socket usable")
    func disappears() throws {
        var socket = try HandoverSocket(of: folder.file("s"))
        let state = try state()
        let path = folder.file("s")
        let next = try #require(Thread { _ = try? PreviousSupervisor(on: path) })
        let listener = socket.descriptor
        for _ in 0..<2 {
            var watched = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&watched, 1, 60_000) == 1)
            #expect(socket.handleEvent(sending: state) == .none)
        }
        next.join()
        #expect(socket.descriptor == listener)
    }
}
