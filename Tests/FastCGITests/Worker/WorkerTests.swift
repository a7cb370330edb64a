import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / worker")
struct WorkerTests {
    @Test("idle kept connections occupy no thread: four threads answer forty connections repeatedly")
    func keptConnections() throws {
        let worker = try EchoProcess.worker(["ECHO_THREADS": "4"])
        let peers = try (0..<40).map { _ in try worker.peer() }
        for round in 0..<3 {
            for peer in peers {
                let answer = try peer.ask(Records.request("/round?n=\(round)"))
                #expect(answer.status == 200 && answer.text.contains("query=n=\(round)\n"))
            }
        }
    }

    @Test("a connection that the web server does not ask to keep is closed after the response")
    func closed() throws {
        let peer = try EchoProcess.worker().peer()
        #expect(try peer.ask(Records.request(keep: false)).status == 200)
        #expect(peer.isClosed())
    }

    @Test(
        "nine megabytes arrive complete, and so do smaller bodies in records of any length",
        arguments: [(9_000_000, 60_000), (300_000, 65_535), (100_000, 8_185), (20_000, 7)])
    func largeBody(count: Int, pieces: Int) throws {
        let worker = try EchoProcess.worker(["ECHO_IO_TIMEOUT": "20"])
        let peer = try worker.peer()
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }
        let sum = body.reduce(into: UInt64(0)) { $0 = $0 &* 31 &+ UInt64($1) }
        let head =
            Records.begin()
            + Records.stream(
                Records.parameters,
                Records.pair("REQUEST_METHOD", "POST") + Records.pair("REQUEST_URI", "/length")
                    + Records.pair("CONTENT_LENGTH", String(count)))
        #expect(try peer.ask(head + Records.stream(Records.input, body, pieces: pieces)).text == "\(count) \(sum)")
        #expect(try peer.ask(Records.request()).status == 200)
    }

    @Test("a body without an announced length ends with its stream")
    func noLength() throws {
        let peer = try EchoProcess.worker().peer()
        let answer = try peer.ask(Records.request("/", method: "POST", body: Array("abc".utf8), length: ""))
        #expect(answer.text.contains("body=abc"))
    }

    @Test(
        "a body over the limit is rejected with 413, announced or not, and the connection stays usable",
        arguments: [nil, ""])
    func tooLarge(length: String?) throws {
        let worker = try EchoProcess.worker(["ECHO_BODY_LIMIT": "1000"])
        let peer = try worker.peer()
        let body = [UInt8](repeating: 0x61, count: 300_000)
        let answer = try peer.ask(Records.request("/length", method: "POST", body: body, length: length))
        #expect(answer.status == 413 && answer.text == "refused: bodyTooLarge(limit: 1000)")
        let fitting = try peer.ask(Records.request("/length", method: "POST", body: Array(body.prefix(1_000))))
        #expect(fitting.status == 200 && fitting.text.hasPrefix("1000 "))
    }

    @Test("a body shorter or longer than announced never reaches the handler", arguments: ["6", "4"])
    func wrongLength(length: String) throws {
        let peer = try EchoProcess.worker().peer()
        let answer = try peer.ask(Records.request("/length", method: "POST", body: Array("12345".utf8), length: length))
        #expect(answer.status == 400 && answer.text == "refused: bodyIncomplete")
        #expect(try peer.ask(Records.request()).status == 200)
    }

    @Test("header fields over the limit are rejected with 431")
    func manyFields() throws {
        let peer = try EchoProcess.worker().peer()
        let fields = (0..<2_100).map { ("HTTP_X\($0)", "1") }
        #expect(try peer.ask(Records.request(fields: fields)).status == 431)
        #expect(try peer.ask(Records.request(fields: Array(fields.prefix(1_000)))).status == 200)
    }

    @Test("a head far longer than any web server lets through is served, in one piece and in many", arguments: [1, 64])
    func longHead(pieces: Int) throws {
        let peer = try EchoProcess.worker(["ECHO_IO_TIMEOUT": "20"]).peer()
        let request = Records.request(fields: [("HTTP_LONG", String(repeating: "a", count: 120_000))])
        let size = (request.count + pieces - 1) / pieces
        for start in stride(from: 0, to: request.count, by: size) {
            try peer.send(Array(request[start..<min(start + size, request.count)]))
        }
        #expect(try peer.receive().text.hasSuffix("long: " + String(repeating: "a", count: 120_000)))
    }

    @Test("requests that arrive byte by byte are served one after the other on one connection")
    func trickle() throws {
        let worker = try EchoProcess.worker(["ECHO_THREADS": "1", "ECHO_IO_TIMEOUT": "20"])
        let peer = try worker.peer()
        for number in 1...3 {
            let body = Array("body \(number)".utf8)
            for byte in Records.request("/n\(number)", method: "POST", body: body, fields: [("HTTP_A", "b")]) {
                try peer.send([byte])
            }
            let text = try peer.receive().text
            #expect(text.contains("path=/n\(number)\n") && text.contains("body=body \(number)\n"))
            #expect(text.hasSuffix("a: b"))
        }
    }

    @Test("responses to HEAD and with 204 have no body, and header values cannot add header fields")
    func bodyless() throws {
        let peer = try EchoProcess.worker().peer()
        let head = try peer.ask(Records.request("/pid", method: "HEAD"))
        #expect(head.body.isEmpty && head.head.contains("content-length: "))
        #expect(try peer.ask(Records.request("/empty")).body.isEmpty)
        #expect(try peer.ask(Records.request("/inject")).head.contains("\r\nx-note: aset-cookie: b\r\n"))
    }

    @Test("a response of ten megabytes arrives complete")
    func largeAnswer() throws {
        let peer = try EchoProcess.worker().peer()
        #expect(try peer.ask(Records.request("/bytes?count=10000000")).body.count == 10_000_000)
    }

    @Test("SIGTERM lets the request in flight finish in its full time, and then the worker ends with 0")
    func drain() throws {
        let worker = try EchoProcess.worker()
        let busy = try worker.peer()
        let idle = try worker.peer()
        #expect(try idle.ask(Records.request()).status == 200)
        let start = ContinuousClock.now
        try busy.send(Records.request("/sleep?ms=600&\(worker.markingStart)"))
        try #require(eventually { worker.hasStarted })
        worker.send(SIGTERM)
        #expect(try busy.receive().text == "slept \(worker.pid)")
        #expect(ContinuousClock.now - start >= .milliseconds(600))
        #expect(worker.wait() == 0)
        #expect(idle.isClosed())
    }

    @Test("a request that has arrived is answered before a worker without a pool ends")
    func arrived() throws {
        let worker = try EchoProcess.worker(["ECHO_THREADS": "1"])
        let first = try worker.peer()
        try first.send(Records.request("/sleep?\(worker.markingStart)&\(worker.untilGate)"))
        let others = try (0..<5).map { _ in try worker.peer() }
        for peer in others { try peer.send(Records.request("/pid")) }
        try #require(eventually { worker.hasStarted })
        worker.send(SIGTERM)
        worker.openGate()
        for peer in [first] + others { #expect(try peer.receive().status == 200) }
        #expect(worker.wait() == 0)
    }

    @Test("a request that exceeds the drain deadline is aborted, and the worker ends with 1")
    func deadline() throws {
        let worker = try EchoProcess.worker(["ECHO_DRAIN": "1"])
        let peer = try worker.peer()
        try peer.send(Records.request("/sleep?ms=15000&\(worker.markingStart)"))
        try #require(eventually { worker.hasStarted })
        worker.send(SIGTERM)
        #expect(worker.wait() == 1)
        #expect(peer.isClosed())
    }

    @Test("other signals neither end the worker nor interrupt a handler", arguments: [SIGHUP, SIGUSR1, SIGPIPE])
    func otherSignals(signal: Int32) throws {
        let worker = try EchoProcess.worker()
        let peer = try worker.peer()
        let start = ContinuousClock.now
        try peer.send(Records.request("/sleep?ms=300&\(worker.markingStart)"))
        try #require(eventually { worker.hasStarted })
        worker.send(signal)
        #expect(try peer.receive().status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("without a pool, a worker that has reached its number of requests ends itself with 0")
    func recycle() throws {
        let worker = try EchoProcess.worker(["ECHO_RECYCLE": "5"], untilReady: false)
        for _ in 0..<5 { #expect(try worker.peer().ask(Records.request()).status == 200) }
        #expect(worker.wait() == 0)
    }
}
