import CFastCGI
import Glibc
import Testing
import Threads

@testable import FastCGI

@Suite("FastCGI / output records")
struct OutputRecordsTests {
    /// Returns the bytes that are written for a response, read by the other end of a socket pair.
    private func written(_ head: [UInt8], _ body: [UInt8], id: Int32 = 1) throws -> [UInt8] {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (near, far) = (pair[0], pair[1])
        defer { close(far) }
        let writer = try #require(
            Thread {
                _ = OutputRecords.write(head, body, requestID: id, to: near)
                close(near)
            })
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(far, &piece, piece.count, 0)
            if count <= 0 { break }
            all += piece[..<count]
        }
        writer.join()
        return all
    }

    private func records(_ bytes: [UInt8]) -> [(type: UInt8, id: Int, content: [UInt8])] {
        var found: [(type: UInt8, id: Int, content: [UInt8])] = []
        var rest = bytes[...]
        while rest.count >= 8 {
            let header = Array(rest.prefix(8))
            let length = Int(header[4]) << 8 | Int(header[5])
            found.append((header[1], Int(header[2]) << 8 | Int(header[3]), Array(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(8 + length + Int(header[6]))
        }
        return found
    }

    @Test(
        "head and body arrive complete, however many records they need",
        arguments: [0, 1, 7, 8, 65_528, 65_529, 300_000])
    func complete(length: Int) throws {
        let head = Array("Status: 200 OK\r\n\r\n".utf8)
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let records = records(try written(head, body, id: 513))
        #expect(records.allSatisfy { $0.id == 513 })
        #expect(records.dropLast().flatMap(\.content) == head + body)
        #expect(records.suffix(2).map(\.type) == [6, 3])
        #expect(records.dropLast().last?.content == [] && records.last?.content == [UInt8](repeating: 0, count: 8))
    }

    @Test("writing to a closed connection fails")
    func closed() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let near = pair[0]
        close(pair[1])
        // The thread blocks SIGPIPE, as a worker ignores it.
        let thread = try #require(
            Thread { #expect(!OutputRecords.write([1], [2], requestID: 1, to: near)) })
        thread.join()
        close(near)
    }
}
