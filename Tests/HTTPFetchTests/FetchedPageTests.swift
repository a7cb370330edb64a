import HTTPFetch
import Testing

@Suite("HTTPFetch / fetched pages")
struct FetchedPageTests {
    @Test("after a 403 the request is repeated with a browser's header fields")
    func askedAsBrowser() throws {
        let site = LoopbackSite { request, client in
            request.headers["user-agent"]?.hasPrefix("Mozilla/") == true
                ? client.answer(body: "welcome") : client.answer("403 Forbidden")
        }
        let page = try testFetcher { $0.userAgent = "Lectern-Test/1" }.fetch(site.url())
        #expect(text(page) == "welcome")
        #expect(page.hops == 0)
        #expect(site.requests.map { $0.headers["user-agent"]?.prefix(8) } == ["Lectern-", "Mozilla/"])
    }

    @Test("a second 403 is the result")
    func forbidden() throws {
        let site = LoopbackSite { _, client in client.answer("403 Forbidden") }
        let error = failure(try testFetcher(), site.url())
        #expect(error?.reason == .httpError)
        #expect(error?.status == 403)
        #expect(error?.retryable == false)
        #expect(site.requests.count == 2)
    }

    @Test(
        "the status decides whether an error is retryable",
        arguments: [
            (400, false), (401, false), (404, false), (408, true), (410, false), (425, true), (429, true), (451, false),
            (500, true), (501, false), (502, true), (503, true), (520, true),
        ])
    func statuses(status: Int, retryable: Bool) throws {
        let site = LoopbackSite { _, client in client.answer("\(status) No", body: "secret") }
        let error = failure(try testFetcher(), site.url())
        #expect(error?.reason == .httpError)
        #expect(error?.status == status)
        #expect(error?.retryable == retryable)
        #expect(error?.message.contains("\(status)") == true)
    }

    @Test(
        "the site's Retry-After is part of the error",
        arguments: [("120", 120), ("0", 0), ("Fri, 01 Jan 2021 00:00:00 GMT", 0)])
    func retryAfter(value: String, seconds: Int) throws {
        let site = LoopbackSite { _, client in client.answer("503 Busy", ["Retry-After: \(value)"]) }
        #expect(failure(try testFetcher(), site.url())?.retryAfter == seconds)
    }

    @Test(
        "media type and charset come from the header",
        arguments: [
            ("text/html; charset=utf-8", "text/html", "utf-8"), ("TEXT/HTML;Charset=\"x-sjis\"", "text/html", "x-sjis"),
            ("text/html;charset='latin1';x=y", "text/html", "latin1"), ("text/html;", "text/html", nil),
        ] as [(String, String, String?)])
    func contentType(value: String, type: String, charset: String?) throws {
        let site = LoopbackSite { _, client in client.answer(type: value, body: "page") }
        let page = try testFetcher().fetch(site.url())
        #expect(page.contentType == type)
        #expect(page.charsetLabel == charset)
        #expect(page.isHTML)
    }

    @Test(
        "a file that is not a page is not downloaded",
        arguments: ["application/pdf", "image/png", "application/json", "text/plain"])
    func files(type: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
            while client.send("<html>") { pause(1) }
        }
        let page = try testFetcher().fetch(site.url())
        #expect(page.contentType == type)
        #expect(!page.isHTML)
        #expect(page.body.isEmpty)
        #expect(throws: FetchError.self) { try page.html() }
    }

    @Test(
        "without a clear media type the first bytes decide",
        arguments: [
            (nil, "<!DOCTYPE html><p>x", true), (nil, "\n <html>", true), ("application/octet-stream", "<head>", true),
            ("application/xml", "<?xml version='1.0'?><html xmlns='x'>", true), ("text/xml", "<rss>", false),
            (nil, "hello", false), (nil, "", false), ("text/html", "hello", true), ("text/html", "%PDF-1.4", false),
            ("application/xhtml+xml", "x", true), ("nonsense", "<html>", true),
        ] as [(String?, String, Bool)])
    func sniffed(type: String?, body: String, isHTML: Bool) throws {
        let site = LoopbackSite { _, client in client.answer(type: type, body: body) }
        let page = try testFetcher().fetch(site.url())
        #expect(page.isHTML == isHTML)
        #expect(text(page) == (isHTML ? body : ""))
    }

    @Test(
        "a known signature decides a file's kind",
        arguments: [
            ("application/pdf", "%PDF-1.4", .pdf), ("text/html", "%PDF-1.4", .pdf),
            ("application/octet-stream", "%PDF-1.4", .pdf),
            ("application/pdf", "<!doctype html>", .html), ("application/pdf", "nothing", .other),
            ("text/plain", "tea", .text),
            ("text/plain", "a\0b", .other), ("text/markdown", "# Tea", .markdown), ("image/png", "x", .image),
            ("image/svg+xml", "<svg>", .other),
            (nil, "GIF89a", .image), ("application/octet-stream", "RIFF....WEBP", .image),
            (nil, "....ftypM4A ", .audio),
            (nil, "....ftypisom", .video), ("audio/mpeg", "x", .audio), ("video/mp4", "x", .video),
            ("text/plain", "ID3x", .audio),
        ] as [(String?, String, ContentKind)])
    func kinds(type: String?, body: String, kind: ContentKind) throws {
        let site = LoopbackSite { _, client in client.answer(type: type, body: body) }
        let page = try testFetcher { $0.wanted = [.html, .text, .markdown, .pdf] }.fetch(site.url())
        #expect(page.kind == kind)
        #expect(text(page) == ([.html, .text, .markdown, .pdf].contains(kind) ? body : ""))
    }

    @Test("a wanted file has the limits of a page")
    func largeFile() throws {
        let site = LoopbackSite { _, client in
            client.answer(type: "application/pdf", body: "%PDF-" + String(repeating: "x", count: 5_000))
        }
        let fetcher = try testFetcher {
            $0.wanted = [.pdf]
            $0.limits.compressedBytes = 4_000
        }
        #expect(failure(fetcher, site.url())?.reason == .tooLarge)
    }

    @Test("the first part of a page that denies access is part of the error", arguments: [401, 403, 429, 503])
    func refusals(status: Int) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 \(status) No\r\nContent-Type: text/html\r\n\r\n<h1>Who are you?")
            if status == 503 { while client.send("x") { pause(1) } }
        }
        let error = failure(try testFetcher(), site.url())
        #expect(error?.reason == .httpError && error?.status == status)
        #expect(error.map { String(decoding: $0.page, as: UTF8.self).hasPrefix("<h1>Who are you?") } == true)
        let silent = LoopbackSite { _, client in client.answer("\(status) No", type: "text/plain", body: "no page") }
        #expect(failure(try testFetcher(), silent.url())?.page == [])
    }

    @Test(
        "every coding that libcurl supports is decoded",
        arguments: [
            ("gzip", "1f8b08000000000002ffb329b02b484cce4e4db1d12fb003007d315cf50d000000"),
            ("deflate", "789cb329b02b484cce4e4db1d12fb003001fbe046c"), ("br", "0b06803c703e7061636b65643c2f703e03"),
            ("zstd", "28b52ffd04586900003c703e7061636b65643c2f703e2310bc4a"),
            ("identity", "3c703e7061636b65643c2f703e"),
        ])
    func codings(coding: String, hex: String) throws {
        let body = stride(from: 0, to: hex.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        let site = LoopbackSite { _, client in client.answer("200 OK", ["Content-Encoding: \(coding)"], body: body) }
        #expect(text(try testFetcher().fetch(site.url())) == "<p>packed</p>")
        let offered = site.requests.first?.headers["accept-encoding"] ?? ""
        #expect(coding == "identity" || offered.contains(coding))
    }

    @Test(
        "a body that cannot be decoded is a bad encoding", arguments: ["gzip", "br", "zstd", "rot13"],
        [
            "this is not packed at all, whatever is said",
            "<!doctype html><title>Nor is this</title><p>It has its own way of not being it.",
        ])
    func badEncoding(coding: String, body: String) throws {
        let site = LoopbackSite { _, client in client.answer("200 OK", ["Content-Encoding: \(coding)"], body: body) }
        #expect(failure(try testFetcher(), site.url())?.reason == .badEncoding)
    }

    @Test(
        "invalid responses are bad responses",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\nshort",
            "no HTTP at all\r\n\r\n", "", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
        ])
    func broken(answer: String) throws {
        let site = LoopbackSite { _, client in
            client.send(answer)
            client.finish()
        }
        let error = failure(try testFetcher(), site.url())
        #expect(error?.reason == .badResponse, "\(String(describing: error))")
    }

    @Test("an empty page is a page")
    func empty() throws {
        let site = LoopbackSite { _, client in client.answer() }
        let page = try testFetcher().fetch(site.url())
        #expect(page.isHTML && page.body.isEmpty)
    }

    @Test("a closed port is a failed connection")
    func blocked() throws {
        let error = failure(try testFetcher(), "http://127.0.0.1:\(LoopbackSite.unusedPort())/")
        #expect(error?.reason == .connectionFailed)
        #expect(error?.retryable == true)
        #expect(error?.status == nil)
    }

    @Test("a TLS handshake with a plain site is a failed connection")
    func noTLS() throws {
        let site = LoopbackSite(greeting: "220 this is no TLS\r\n") { _, client in client.answer() }
        let fetcher = try testFetcher()
        // Repeatedly: a close message to a closed connection raises SIGPIPE, which must not end the process.
        for _ in 0..<50 {
            #expect(failure(fetcher, "https://127.0.0.1:\(site.port)/")?.reason == .connectionFailed)
        }
    }

    @Test("a name that does not resolve is a DNS error", arguments: ["nowhere.invalid", "INVALID.", "x.onion"])
    func dns(name: String) throws {
        let error = failure(try testFetcher(), "http://\(name)/")
        #expect(error?.reason == .dnsError)
        #expect(error?.retryable == true)
    }

    @Test("a name that the resolver rejects is a DNS error")
    func overlongLabel() throws {
        // A label over 63 bytes cannot be put into a query, so none is sent.
        let error = failure(try testFetcher(), "http://\(String(repeating: "a", count: 70)).test/")
        #expect(error?.reason == .dnsError)
    }

    @Test(
        "an invalid URL and a URL with another scheme have different reasons",
        arguments: [
            ("", "invalid_url"), ("page", "invalid_url"), ("example.test/x", "invalid_url"), ("http://", "invalid_url"),
            ("http://a b/", "invalid_url"), ("http://h:99999/", "invalid_url"), ("http://[::1/", "invalid_url"),
            ("file:///etc/passwd", "blocked_scheme"), ("ftp://h/", "blocked_scheme"),
            ("javascript:x", "blocked_scheme"),
            ("about:blank", "blocked_scheme"), ("ws://h/", "blocked_scheme"),
        ])
    func invalidURL(url: String, reason: String) throws {
        #expect(failure(try testFetcher(), url)?.reason.rawValue == reason)
    }

    @Test("host names in other scripts are requested in their ASCII form")
    func idn() throws {
        let site = LoopbackSite { request, client in client.answer(body: request.headers["host"] ?? "") }
        let fetcher = try testFetcher(names: ["xn--bcher-kva.test"], at: site)
        #expect(text(try fetcher.fetch("http://bücher.test:\(site.port)/")) == "xn--bcher-kva.test:\(site.port)")
    }
}
