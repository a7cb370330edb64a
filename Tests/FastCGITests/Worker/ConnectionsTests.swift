import CFastCGI
import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / connections")
struct ConnectionsTests {
    private let slot: ScoreboardSlot
    private let connections: Connections

    init() throws {
        slot = try #require(Scoreboard.inMemory(counters: 0).claim())
        connections = Connections(poller: Poller(), slot: slot)
    }

    private func socket() throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test("a parked connection can be claimed once")
    func claim() throws {
        let connection = try socket()
        defer { close(connection) }
        #expect(!connections.claim(connection))
        #expect(connections.park(connection, .new))
        #expect(connections.claim(connection) && !connections.claim(connection))
        #expect(connections.park(connection, .known) && connections.claim(connection))
    }

    @Test("after all connections were taken, none is parked any more")
    func takeAll() throws {
        let parked = try (0..<3).map { _ in try socket() }
        let busy = try socket()
        defer { for connection in parked + [busy] { close(connection) } }
        for connection in parked { #expect(connections.park(connection, .new)) }
        #expect(connections.takeAll() == parked.sorted())
        #expect(!connections.park(busy, .new))
        #expect(connections.takeAll().isEmpty)
    }

    @Test("a number out of range can be neither parked nor claimed", arguments: [-1, Int32.max])
    func outOfRange(number: Int32) {
        #expect(!connections.park(number, .known) && !connections.claim(number))
    }

    @Test("the scoreboard counts new and removed connections")
    func count() throws {
        let connection = try socket()
        defer { close(connection) }
        _ = connections.park(connection, .new)
        _ = connections.park(connection, .known)
        #expect(slot.report().openConnections == 1)
        connections.removed()
        #expect(slot.report().openConnections == 0)
    }
}
