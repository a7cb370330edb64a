import CFastCGI
import Glibc
import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / reply")
struct ReplyTests {
    private func pair() throws -> (Reply, Int32) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (Reply(connection: pair[0], requestID: 1, mayKeep: true), pair[1])
    }

    @Test("a reply is awaited until the peer closes, even if the peer has finished sending")
    func awaited() throws {
        let (reply, peer) = try pair()
        defer { close(reply.connection) }
        #expect(reply.isAwaited)
        shutdown(peer, Int32(SHUT_WR))
        #expect(reply.isAwaited)
        close(peer)
        #expect(!reply.isAwaited)
    }

    @Test("a written response ends with the records that end the request")
    func write() throws {
        let (reply, peer) = try pair()
        defer { for descriptor in [reply.connection, peer] { close(descriptor) } }
        #expect(reply.write(ResponseText(Response(status: 200, body: [1, 2, 3]), to: "GET")))
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(peer, &bytes, bytes.count, 0)
        #expect(bytes[..<2] == [1, 6])
        #expect(bytes[(count - 16)..<(count - 8)] == [1, 3, 0, 1, 0, 8, 0, 0])
    }
}
