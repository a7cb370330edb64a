import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / exchange")
struct ExchangeTests {
    /// After the head of an answer.
    private func answered(_ status: String, _ fields: [String]) -> Exchange {
        var exchange = Exchange(limits: FetchLimits())
        for line in ["HTTP/1.1 \(status)", "Content-Type: text/html"] + fields + [""] {
            _ = Array("\(line)\r\n".utf8).withUnsafeBufferPointer { exchange.receive(headerLine: $0) }
        }
        return exchange
    }

    @Test("a short body that nobody wants is read, and no further than its unpacked size is worth it")
    func drained() {
        var exchange = answered("302 Found", ["Location: /x", "Content-Length: 90", "Content-Encoding: br"])
        let worth = [UInt8](repeating: 0, count: Exchange.worthDraining)
        #expect(worth.withUnsafeBufferPointer { exchange.receive(body: $0) })
        #expect([0].withUnsafeBufferPointer { !exchange.receive(body: $0) })
        #expect(exchange.stop == .enough)
    }

    private static let packedTwice = [
        ["Content-Encoding: gzip, br"], ["Content-Encoding: gzip", "content-encoding:GZIP"],
        ["Content-Encoding: gzip", "Transfer-Encoding: gzip, chunked"], ["Content-Encoding: rot13,gzip"],
    ]

    @Test("what is packed more than once is not unpacked", arguments: packedTwice)
    func overpacked(fields: [String]) {
        #expect(answered("200 OK", fields).stop == .overpacked)
    }

    @Test("that does not matter where the body does not", arguments: packedTwice, ["302 Found", "403 Forbidden", "404 Not Found"])
    func overpackedInVain(fields: [String], status: String) {
        let exchange = answered(status, fields + ["Content-Length: 90"])
        #expect(exchange.stop == .enough)
        #expect(exchange.needsNoBody)
    }

    @Test("chunks are no packing, and identity is none", arguments: [
        ["Content-Encoding: gzip, identity"], ["Content-Encoding: gzip", "Transfer-Encoding: chunked"], ["Content-Encoding: , ,"],
    ])
    func packedOnce(fields: [String]) {
        #expect(answered("200 OK", fields).stop == nil)
    }
}
