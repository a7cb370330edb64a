// CCurl's headers include those of sockets, and the compiler may attribute the socket functions to CCurl.
import CCurl
import Glibc
import Synchronization
import Threads

/// A web site on 127.0.0.1 that behaves as a test requires. Runs on its own threads and records all requests.
final class LoopbackSite: Sendable {
    struct Request: Sendable {
        /// Path and query.
        var target: String
        /// Names in lower case.
        var headers: [String: String]
        var path: String { String(target.prefix { $0 != "?" }) }
    }

    typealias Responder = @Sendable (Request, Connection) -> Void

    let port: UInt16
    private let listener: Int32
    private let log = Mutex<[Request]>([])
    private let greeting: String?
    private let opening: @Sendable (Connection) -> Void
    private let answer: Responder

    /// - Parameters:
    ///   - greeting: sent to every client before its request. The connection is then closed.
    ///   - opening: speaks with every client before its first request.
    ///   - answer: writes the complete response, including its status line.
    init(
        greeting: String? = nil, opening: @escaping @Sendable (Connection) -> Void = { _ in },
        answer: @escaping Responder
    ) {
        self.greeting = greeting
        self.opening = opening
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = LoopbackSite.bindToFreePort(listener)
        listen(listener, 256)
        let listener = listener
        Thread.start { [weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor >= 0 {
                    Thread.start { [weak self] in
                        let connection = Connection(descriptor)
                        self?.serve(connection)
                    }
                } else if errno == EINVAL {  // shut down
                    break
                }
            }
            // Closed only here: a descriptor closed during a waiting accept may be reused for another site.
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// All requests so far, in order.
    var requests: [Request] { log.withLock { $0 } }

    func url(_ target: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(target)" }

    /// Returns a closed loopback port, which was bound and closed again.
    static func unusedPort() -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return bindToFreePort(descriptor)
    }

    // MARK: - Serving

    private func serve(_ connection: Connection) {
        if let greeting {
            connection.send(greeting)
            return
        }
        opening(connection)
        while let request = connection.readRequest() {
            log.withLock { $0.append(request) }
            answer(request, connection)
            if connection.isFinished { break }
        }
    }

    private static func bindToFreePort(_ descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return 0 }
            bind(descriptor, pointer, length)
            getsockname(descriptor, pointer, &length)
            return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// One client's connection. Only its own thread uses it.
    final class Connection {
        private let descriptor: Int32
        private var unread: [UInt8] = []
        private(set) var isFinished = false

        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }

        /// Returns false when the client has closed the connection.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else {
                    isFinished = true
                    return false
                }
                sent += count
            }
            return true
        }

        /// Closes the connection after this response.
        func finish() { isFinished = true }

        /// Sends a complete response with its length.
        func answer(_ status: String = "200 OK", _ headers: [String] = [], type: String? = "text/html", body: [UInt8]) {
            let type = type.map { ["Content-Type: \($0)"] } ?? []
            let lines = ["HTTP/1.1 \(status)"] + type + headers + ["Content-Length: \(body.count)", "", ""]
            send(Array(lines.joined(separator: "\r\n").utf8) + body)
        }

        func answer(
            _ status: String = "200 OK", _ headers: [String] = [], type: String? = "text/html", body: String = ""
        ) {
            answer(status, headers, type: type, body: Array(body.utf8))
        }

        func redirect(_ status: String = "302 Found", to location: String, _ headers: [String] = []) {
            answer(status, ["Location: \(location)"] + headers)
        }

        /// Returns fewer bytes when the client has closed the connection.
        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let received = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
            return Array(bytes.prefix(max(0, received)))
        }

        func readRequest() -> Request? {
            while true {
                let text = String(decoding: unread, as: UTF8.self)
                if let end = text.firstRange(of: "\r\n\r\n") {
                    unread = Array(text[end.upperBound...].utf8)
                    return Connection.parse(text[..<end.lowerBound])
                }
                var chunk = [UInt8](repeating: 0, count: 16_384)
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { return nil }
                unread += chunk.prefix(count)
            }
        }

        private static func parse(_ head: Substring) -> Request {
            let lines = head.split(separator: "\r\n")
            let target = lines.first?.split(separator: " ").dropFirst().first ?? "/"
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                if pair.count == 2 { headers[pair[0].lowercased()] = String(pair[1].drop { $0 == " " }) }
            }
            return Request(target: String(target), headers: headers)
        }
    }
}

/// Pauses within a response, in milliseconds.
func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }
