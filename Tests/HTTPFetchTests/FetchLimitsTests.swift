import HTTPFetch
import Testing

@Suite("HTTPFetch / limits")
struct FetchLimitsTests {
    private func fetcher(_ limit: (inout FetchLimits) -> Void) throws -> Fetcher {
        try testFetcher { limit(&$0.limits) }
    }

    /// 65,536 zeros in 96 bytes.
    private static let bomb: [UInt8] =
        [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xED, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x80,
            0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A,
        ]
        + [UInt8](repeating: 0, count: 63) + [0x6A, 0xEB, 0x8E, 0x97, 0xD7, 0x00, 0x00, 0x01, 0x00]

    @Test("a body that decodes to too many bytes is too large, however small it was sent")
    func bomb() throws {
        let bomb = FetchLimitsTests.bomb
        let site = LoopbackSite { _, client in client.answer("200 OK", ["Content-Encoding: gzip"], body: bomb) }
        #expect(failure(try fetcher { $0.inflatedBytes = 65_535 }, site.url())?.reason == .tooLarge)
        #expect(
            try fetcher { $0.inflatedBytes = 65_536 }.fetch(site.url()).body == [UInt8](repeating: 0, count: 65_536))
    }

    @Test("an endless body ends at the limit of sent bytes")
    func endlessBody() throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        let error = failure(try fetcher { $0.compressedBytes = 1_000_000 }, site.url())
        #expect(error?.reason == .tooLarge)
        #expect(error?.retryable == false)
        #expect(error?.status == 200)
    }

    @Test("chunk extensions count as sent bytes")
    func endlessExtension() throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5;")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        #expect(failure(try fetcher { $0.compressedBytes = 1_000_000 }, site.url())?.reason == .tooLarge)
    }

    @Test("an announced length over the limit fails without reading the body")
    func announced() throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000001\r\n\r\n")
            pause(30_000)
        }
        let error = failure(try fetcher { _ in }, site.url())
        #expect(error?.reason == .tooLarge)
        #expect((error?.seconds ?? 99) < 15)
    }

    @Test("endless headers end at their limit, in many lines or in one", arguments: ["X-More: 1\r\n", "x"])
    func endlessHeaders(piece: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nX-Start: ")
            while client.send(String(repeating: piece, count: 1000)) {}
        }
        #expect(failure(try testFetcher(), site.url())?.reason == .tooLarge)
    }

    @Test("endless interim responses count as headers")
    func interim() throws {
        let site = LoopbackSite { _, client in
            while client.send(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", count: 100)) {}
        }
        #expect(failure(try testFetcher(), site.url())?.reason == .tooLarge)
    }

    @Test(
        "a silent site times out",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nhalf",
        ])
    func silence(start: String) throws {
        let site = LoopbackSite { _, client in
            client.send(start)
            pause(30_000)
            client.finish()
        }
        let error = failure(try fetcher { $0.timeWithoutProgress = .milliseconds(300) }, site.url())
        #expect(error?.reason == .timeout)
        #expect(error?.retryable == true)
        #expect((0.25...15).contains(error?.seconds ?? 99))
    }

    @Test("a slowly sending site times out at the total time")
    func drip() throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            while client.send("x") { pause(50) }
        }
        let error = failure(try fetcher { $0.totalTime = .milliseconds(500) }, site.url())
        #expect(error?.reason == .timeout)
        #expect((0.45...15).contains(error?.seconds ?? 99))
    }

    @Test("the total time covers the whole chain")
    func slowChain() throws {
        let site = LoopbackSite { request, client in
            // The first hop is not part of the wait, so that a busy machine gets that far.
            if request.path != "/" { pause(700) }
            client.redirect(to: request.path + "x")
        }
        let error = failure(try fetcher { $0.totalTime = .seconds(3) }, site.url("/"))
        #expect(error?.reason == .timeout)
        #expect((1...5).contains(error?.hops ?? 0))
    }

    @Test("a slow site does not delay another one")
    func independence() throws {
        let slow = LoopbackSite { _, client in
            pause(30_000)
            client.answer(body: "slow")
        }
        let quick = LoopbackSite { _, client in client.answer(body: "quick") }
        let fetcher = try testFetcher()
        fetcher.fetch(slow.url()) { _ in }
        #expect(try fetcher.fetch(quick.url()).seconds < 15)
    }

    @Test("a URL over 64 KB is invalid")
    func longURL() throws {
        let error = failure(try testFetcher(), "http://127.0.0.1/" + String(repeating: "a", count: 70_000))
        #expect(error?.reason == .invalidURL)
    }
}
