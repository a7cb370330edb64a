import CFastCGI
import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / connection handover")
struct ConnectionHandoverTests {
    private let handover: ConnectionHandover

    init() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        handover = ConnectionHandover(sending: pair[0], receiving: pair[1])
    }

    @Test("a connection arrives with its unread bytes, and connections arrive in order")
    func order() throws {
        let peers = try (0..<2).map { number in
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            send(pair[1], [UInt8(number)], 1, 0)
            #expect(handover.send(pair[0]))
            return pair[1]
        }
        for number in 0..<2 {
            let connection = try #require(handover.receive())
            var byte: UInt8 = 99
            #expect(recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 1 && byte == UInt8(number))
            close(connection)
        }
        #expect(handover.receive() == nil)
        for peer in peers { close(peer) }
    }

    @Test("a descriptor that is not open cannot be sent")
    func invalid() { #expect(!handover.send(-1)) }
}
