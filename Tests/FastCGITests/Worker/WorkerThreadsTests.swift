import CFastCGI
import Glibc
import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / worker threads")
struct WorkerThreadsTests {
    private let folder = TemporaryFolder()

    /// Worker threads that were never started, like threads that are woken too late.
    private func threads(at listener: Int32, _ handover: ConnectionHandover) throws -> WorkerThreads {
        let board = Scoreboard.inMemory(counters: 0)
        let membership = PoolMembership(
            scoreboard: board, slot: try #require(board.claim()), supervisor: getppid(), connectionHandover: handover)
        return WorkerThreads(options: WorkerOptions(), listener: listener, membership: membership) { NoHandler() }
    }

    private final class NoHandler: RequestHandler {
        func respond(to request: Request) -> Response { Response(status: 500) }
        func refuse(_ rejection: RequestRejection, _ request: Request) -> Response { Response(status: 500) }
    }

    private func listener() throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        try #require(fastcgi_bind(listener, folder.file("socket")) == 0 && listen(listener, 10) == 0)
        return listener
    }

    private func handover() throws -> ConnectionHandover {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        return ConnectionHandover(sending: pair[0], receiving: pair[1])
    }

    @Test("connections at the listener that a draining worker has not accepted are handed to the others")
    func unseen() throws {
        let (listener, handover) = (try listener(), try handover())
        let peers = try (0..<3).map { _ in try Peer(path: folder.file("socket")) }
        try peers[2].send([1, 2, 3])
        try threads(at: listener, handover).drain()
        let received = (0..<3).compactMap { _ in handover.receive() }
        #expect(received.count == 3 && handover.receive() == nil)
        var bytes = [UInt8](repeating: 0, count: 8)
        // Their order is not specified.
        #expect(received.filter { recv($0, &bytes, 8, Int32(MSG_DONTWAIT)) == 3 }.count == 1)
        #expect(fastcgi_accept(listener) == -1)
    }

    @Test("a connection that another worker handed over is handed on, which wakes a waiting worker")
    func handedOn() throws {
        let (listener, handover) = (try listener(), try handover())
        _ = try (0..<2).map { _ in try Peer(path: folder.file("socket")) }
        for _ in 0..<2 { handover.send(fastcgi_accept(listener)) }
        // Waits like another worker. epoll has already reported the connections that are there.
        let epoll = epoll_create1(0)
        var event = epoll_event()
        event.events = UInt32(EPOLLIN.rawValue) | 1 << 31
        epoll_ctl(epoll, EPOLL_CTL_ADD, handover.receiving, &event)
        var found = epoll_event()
        #expect(epoll_wait(epoll, &found, 1, 0) == 1 && epoll_wait(epoll, &found, 1, 0) == 0)
        try threads(at: listener, handover).drain()
        #expect(epoll_wait(epoll, &found, 1, 0) == 1)
        #expect((0..<2).allSatisfy { _ in handover.receive() != nil } && handover.receive() == nil)
    }
}
