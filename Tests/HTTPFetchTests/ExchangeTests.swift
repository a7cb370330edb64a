import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / exchange")
struct ExchangeTests {
    /// An exchange that has received a complete head.
    private func answered(_ status: String, _ fields: [String]) -> Exchange {
        var exchange = Exchange(limits: FetchLimits())
        for line in ["HTTP/1.1 \(status)", "Content-Type: text/html"] + fields + [""] {
            _ = Array("\(line)\r\n".utf8).withUnsafeBufferPointer { exchange.receive(headerLine: $0) }
        }
        return exchange
    }

    @Test("a short unwanted body is read up to a limit on its decoded size")
    func drained() {
        var exchange = answered("302 Found", ["Location: /x", "Content-Length: 90", "Content-Encoding: br"])
        let worth = [UInt8](repeating: 0, count: Exchange.worthDraining)
        #expect(worth.withUnsafeBufferPointer { exchange.receive(body: $0) })
        #expect([0].withUnsafeBufferPointer { !exchange.receive(body: $0) })
        #expect(exchange.endReason == .enough)
    }

    private static let encodedTwice = [
        ["Content-Encoding: gzip, br"], ["Content-Encoding: gzip", "content-encoding:GZIP"],
        ["Content-Encoding: gzip", "Transfer-Encoding: gzip, chunked"], ["Content-Encoding: rot13,gzip"],
    ]

    @Test("a body with more than one coding is rejected", arguments: encodedTwice)
    func repeatedlyEncoded(fields: [String]) {
        #expect(answered("200 OK", fields).endReason == .repeatedlyEncoded)
    }

    @Test(
        "a body with more than one coding is ignored if it is not needed", arguments: encodedTwice,
        ["302 Found", "403 Forbidden", "404 Not Found"])
    func repeatedlyEncodedUnwanted(fields: [String], status: String) {
        let exchange = answered(status, fields + ["Content-Length: 90"])
        #expect(exchange.endReason == .enough)
        #expect(exchange.needsNoBody)
    }

    @Test(
        "chunked and identity do not count as codings",
        arguments: [
            ["Content-Encoding: gzip, identity"], ["Content-Encoding: gzip", "Transfer-Encoding: chunked"],
            ["Content-Encoding: , ,"],
        ])
    func encodedOnce(fields: [String]) {
        #expect(answered("200 OK", fields).endReason == nil)
    }
}
