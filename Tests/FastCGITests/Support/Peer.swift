import CFastCGI
import Glibc

/// A connection to a worker like a web server's, or one that misbehaves.
final class Peer {
    struct Broken: Error {
        let reason: String
    }

    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let connection: Int32
    /// The process at the other end, which lives as long as this connection.
    private let owner: EchoProcess?
    private var unread: [UInt8] = []

    /// Reads and writes fail after `timeout` seconds.
    init(path: String, of owner: EchoProcess? = nil, timeout: Int = 120) throws {
        self.owner = owner
        connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fastcgi_connect(connection, path) == 0 else {
            let reason = errno
            close(connection)
            throw Broken(reason: "connect: errno \(reason)")
        }
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(connection) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Broken(reason: "send: errno \(errno)") }
            sent += count
        }
    }

    /// Reads records until the end of the request.
    func receive() throws -> Answer {
        var output: [UInt8] = []
        while true {
            let header = try take(8)
            let content = try take(Int(header[4]) << 8 | Int(header[5]))
            _ = try take(Int(header[6]))
            if header[1] == Records.output { output += content }
            if header[1] == Records.end { return try Self.parse(output) }
        }
    }

    func ask(_ request: [UInt8]) throws -> Answer {
        try send(request)
        return try receive()
    }

    /// Shuts down the sending direction. Responses are still read.
    func endSending() { shutdown(connection, Int32(SHUT_WR)) }

    /// Returns true when the other side has closed the connection or closes it within the timeout.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(connection, &byte, 1, 0)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let got = recv(connection, &piece, piece.count, 0)
            guard got > 0 else { throw Broken(reason: got == 0 ? "closed" : "recv: errno \(errno)") }
            unread += piece[..<got]
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    private static func parse(_ output: [UInt8]) throws -> Answer {
        let mark = Array("\r\n\r\n".utf8)
        guard let end = output.indices.first(where: { output[$0...].starts(with: mark) }) else {
            throw Broken(reason: "no head in \(output.count) bytes")
        }
        let head = String(decoding: output[..<end], as: UTF8.self)
        guard head.hasPrefix("Status: "), let status = Int(head.dropFirst(8).prefix(3)) else {
            throw Broken(reason: "no status in: \(head)")
        }
        return Answer(status: status, head: head, body: Array(output[(end + 4)...]))
    }
}
