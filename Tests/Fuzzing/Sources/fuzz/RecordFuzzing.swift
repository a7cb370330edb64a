import CFuzzing
@testable import FastCGI
import Glibc

/// Tests the reader of FastCGI records with the bytes of one connection.
enum RecordFuzzing {
    private static let isReady = FCGX_Init() == 0

    private static var options: WorkerOptions {
        var options = WorkerOptions()
        options.bodyLimit = 16 << 10
        options.fieldLimit = 50
        return options
    }

    static func test(_ input: [UInt8]) {
        promise(isReady, "libfcgi does not start")
        testVerdicts(input)
        testConnection(input)
    }

    /// The verdict on a head depends on its bytes alone, not on the pieces in which they arrive.
    private static func testVerdicts(_ input: [UInt8]) {
        func verdict(_ count: Int) -> RecordValidator.Verdict {
            input.withUnsafeBytes { RecordValidator.verdict(on: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        let whole = verdict(input.count)
        if case .complete(let length) = whole {
            promise(length <= input.count && length <= RecordValidator.limit, "the head is longer than its bytes")
            promise(verdict(length) == whole, "bytes after the head change the verdict")
        }
        for count in stride(from: 0, to: input.count, by: max(input.count / 8, 1)) {
            switch verdict(count) {
            case .incomplete: continue
            case let early: promise(early == whole, "the verdict changes from \(early) to \(whole)")
            }
        }
    }

    /// The receiver reads one request after the other and ends with the connection.
    private static func testConnection(_ input: [UInt8]) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return }
        defer { close(pair[0]) }
        let sent = send(pair[0], input, input.count, Int32(MSG_DONTWAIT))
        promise(sent == input.count, "the input does not fit into the connection")
        shutdown(pair[0], Int32(SHUT_WR))
        let receiver = Receiver(options: options)
        var connection = pair[1]
        while let received = receiver.receive(from: connection) {
            connection = received.reply.connection
            let request = received.request
            promise(request.body.count <= options.bodyLimit, "the body is over the limit")
            promise(received.rejection == nil || request.body.isEmpty, "a rejected request has a body")
            promise(
                received.rejection != nil || !request.method.isEmpty && !request.path.isEmpty,
                "a request without method or path is accepted")
            promise(request.headers.fields.count <= options.fieldLimit + 2, "the header fields are over the limit")
            promise(request.path.utf8.allSatisfy { $0 < 0x80 }, "the path has bytes outside ASCII")
            guard received.reply.mayKeep else {
                close(connection)
                return
            }
        }
    }
}
