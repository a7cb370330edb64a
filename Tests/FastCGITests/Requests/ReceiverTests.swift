import Foundation
import Testing

@testable import FastCGI

/// Input that no web server sends. After each, the same worker answers the next request and has no additional
/// descriptor.
@Suite("FastCGI / receiver")
struct ReceiverTests {
    private static let whole = Records.request(
        "/length?a", method: "POST", body: Array("hello, world".utf8), fields: [("HTTP_ACCEPT", "*/*")])

    /// Runs `misbehave` against a worker and expects the worker to be in its earlier state afterwards.
    private func survives(_ environment: [String: String] = [:], _ misbehave: (EchoProcess) throws -> Void) throws {
        let worker = try EchoProcess.worker(environment)
        let first = try worker.peer()
        #expect(try first.ask(Records.request("/pid", keep: false)).text == "\(worker.pid)")
        // The worker has then shut its side down. It closes the descriptor a moment later, so `before` may count it.
        #expect(first.isClosed())
        let before = EchoProcess.descriptors(of: worker.pid)
        try misbehave(worker)
        #expect(try worker.peer().ask(Records.request("/pid", keep: false)).text == "\(worker.pid)")
        #expect(eventually { EchoProcess.descriptors(of: worker.pid) <= before })
    }

    @Test("a request cut off at any byte is dropped without a trace")
    func truncated() throws {
        try survives { worker in
            for count in 0..<Self.whole.count {
                let peer = try worker.peer()
                try peer.send(Array(Self.whole[..<count]))
            }
        }
    }

    @Test("a request cut off at any byte by a peer that still reads is closed without a response")
    func halfClosed() throws {
        try survives { worker in
            for count in stride(from: 1, to: Self.whole.count, by: 3) {
                let peer = try worker.peer()
                try peer.send(Array(Self.whole[..<count]))
                peer.endSending()
                #expect(peer.isClosed(), "at \(count)")
            }
        }
    }

    @Test("peers that stop in the middle of a record do not occupy threads")
    func stalled() throws {
        try survives(["ECHO_THREADS": "2", "ECHO_IO_TIMEOUT": "1"]) { worker in
            let stalled = try [10, 30, 200].flatMap { count in
                try (0..<2).map { _ in
                    let peer = try worker.peer()
                    try peer.send(Array(Self.whole[..<min(count, Self.whole.count - 1)]))
                    return peer
                }
            }
            #expect(try worker.peer().ask(Records.request()).status == 200)
            for peer in stalled { #expect(peer.isClosed()) }
        }
    }

    @Test(
        "a connection that does not speak FastCGI is closed",
        arguments: [
            Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), [UInt8](repeating: 0, count: 1_000),
            [UInt8](repeating: 0xff, count: 1_000), [2] + whole.dropFirst(),
        ])
    func noise(bytes: [UInt8]) throws {
        try survives { worker in
            let peer = try worker.peer()
            try peer.send(bytes)
            #expect(peer.isClosed())
        }
    }

    @Test("management records, which make libfcgi overrun its stack, do no harm before, in or after a head")
    func management() throws {
        let names = (0..<60).flatMap { _ in Records.pair("FCGI_MAX_CONNS", "") }
        let values = Records.record(Records.getValues, names, id: 0)
        let head = Self.whole.dropLast(8 + 12 + 8)
        try survives { worker in
            for bytes in [values + Self.whole, Records.begin() + values, head + values + Self.whole] {
                let peer = try worker.peer()
                try peer.send(Array(bytes))
                #expect(peer.isClosed())
            }
        }
    }

    @Test("giant and endless parameters are rejected without being stored")
    func giant() throws {
        let giant: [UInt8] = [0xff, 0xff, 0xff, 0xfe]
        try survives(["ECHO_IO_TIMEOUT": "1"]) { worker in
            for content in [giant + giant, [0x80, 0x7f, 0xff, 0xff, 0], [1, 0xff, 0xff, 0xff, 0xff]] {
                let peer = try worker.peer()
                try peer.send(Records.begin() + Records.record(Records.parameters, content))
                #expect(peer.isClosed())
            }
            let peer = try worker.peer()
            let endless = (0..<40_000).flatMap { _ in Records.pair("A", "b12345") }
            // The worker may close while this is being sent.
            try? peer.send(Records.begin() + Records.stream(Records.parameters, endless))
            #expect(peer.isClosed())
        }
    }

    @Test("a request that is aborted, or inside which another begins, gets no response")
    func abort() throws {
        let head = Array(Self.whole.dropLast(8 + 12 + 8))
        try survives { worker in
            let peer = try worker.peer()
            try peer.send(head + Records.record(Records.abort, []))
            #expect(peer.isClosed())
            let second = try worker.peer()
            try second.send(head + Records.record(Records.output, [1, 2, 3]))
            #expect(second.isClosed())
        }
    }

    @Test("a peer that closes the connection before its response does no harm")
    func gone() throws {
        try survives { worker in
            for _ in 0..<20 { try worker.peer().send(Records.request("/bytes?count=300000")) }
        }
    }

    @Test("damaged bytes anywhere in a request do no harm")
    func damaged() throws {
        try survives(["ECHO_IO_TIMEOUT": "1", "ECHO_THREADS": "16"]) { worker in
            var generator = Seeded(state: 11)
            for _ in 0..<400 {
                var bytes = Self.whole
                for _ in 0..<3 {
                    let folder = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[folder] = .random(in: .min ... .max, using: &generator)
                }
                try? worker.peer().send(bytes)
            }
        }
    }

    @Test("a large body is written to a file, which stays only where the handler keeps it")
    func bodyFile() throws {
        let folder = TemporaryFolder()
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        let body = [UInt8](repeating: 0x61, count: 500_000)
        try survives(["ECHO_BODY_FOLDER": folder.path]) { worker in
            let request = Records.request("/file", method: "POST", body: body, keep: false)
            #expect(try worker.peer().ask(request).text == "0 500000")
            #expect(eventually { (try? files()) == [] })
            let kept = Records.request("/file?kept", method: "POST", body: body, keep: false)
            #expect(try worker.peer().ask(kept).text == "0 500000")
            #expect(eventually { (try? files()) == ["kept"] })
            #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.file("kept")))) == body)
            // Cut off, and over the limit.
            try worker.peer().send(Array(request.dropLast(100_000)))
            let long = Records.request(
                "/file", method: "POST", body: [UInt8](repeating: 0x61, count: 1 << 21), keep: false)
            #expect(try worker.peer().ask(long).status == 413)
            #expect(eventually { (try? files()) == ["kept"] })
        }
    }

    @Test("a body that cannot be written to a file is rejected")
    func noFolder() throws {
        try survives(["ECHO_BODY_FOLDER": "/nowhere"]) { worker in
            let request = Records.request("/file", method: "POST", body: [1, 2, 3], keep: false)
            let status = try worker.peer().ask(request).status
            #expect(status == 500)
        }
    }
}
