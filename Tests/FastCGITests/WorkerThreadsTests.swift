import CFastCGI
import Glibc
import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / crew")
struct CrewTests {
    private let place = Place()

    /// A crew whose threads were never started: as where those that were woken come too late.
    private func crew(at listener: Int32, giving adoption: ConnectionHandover) throws -> WorkerThreads {
        let board = Scoreboard.inMemory(counters: 0)
        let membership = PoolMembership(scoreboard: board, slot: try #require(board.claim()), supervisor: getppid(), adoption: adoption)
        return WorkerThreads(options: WorkerOptions(), listener: listener, membership: membership) { Nobody() }
    }

    private final class Nobody: RequestHandler {
        func respond(to request: Request) -> Response { Response(status: 500) }
        func refuse(_ refusal: RequestRejection, _ request: Request) -> Response { Response(status: 500) }
    }

    private func listener() throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        try #require(fastcgi_bind(listener, place.file("socket")) == 0 && listen(listener, 10) == 0)
        return listener
    }

    private func adoption() throws -> ConnectionHandover {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        return ConnectionHandover(giving: pair[0], taking: pair[1])
    }

    @Test("what came in at the listener and nobody of a leaving worker has looked at goes to the others")
    func unseen() throws {
        let (listener, adoption) = (try listener(), try adoption())
        let peers = try (0..<3).map { _ in try Peer(path: place.file("socket")) }
        try peers[2].send([1, 2, 3])
        try crew(at: listener, giving: adoption).leave()
        let given = (0..<3).compactMap { _ in adoption.take() }
        #expect(given.count == 3 && adoption.take() == nil)
        var bytes = [UInt8](repeating: 0, count: 8)
        // Their order is nobody's business.
        #expect(given.filter { recv($0, &bytes, 8, Int32(MSG_DONTWAIT)) == 3 }.count == 1)
        #expect(fastcgi_accept(listener) == -1)
    }

    @Test("what another has given away is given on, which wakes whoever is there")
    func givenOn() throws {
        let (listener, adoption) = (try listener(), try adoption())
        _ = try (0..<2).map { _ in try Peer(path: place.file("socket")) }
        for _ in 0..<2 { adoption.give(fastcgi_accept(listener)) }
        // As another worker would wait for it; what is there already has been told.
        let epoll = epoll_create1(0)
        var event = epoll_event()
        event.events = UInt32(EPOLLIN.rawValue) | 1 << 31
        epoll_ctl(epoll, EPOLL_CTL_ADD, adoption.taking, &event)
        var found = epoll_event()
        #expect(epoll_wait(epoll, &found, 1, 0) == 1 && epoll_wait(epoll, &found, 1, 0) == 0)
        try crew(at: listener, giving: adoption).leave()
        #expect(epoll_wait(epoll, &found, 1, 0) == 1)
        #expect((0..<2).allSatisfy { _ in adoption.take() != nil } && adoption.take() == nil)
    }
}
