import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / validators")
struct ValidatorsTests {
    private static let date = "Sun, 01 Nov 2026 10:00:00 GMT"

    /// A site that answers a request with the right tag with 304 and any other with the page. `/moved` redirects to it.
    private static func site() -> LoopbackSite {
        LoopbackSite { request, client in
            if request.path == "/moved" {
                client.send("HTTP/1.1 302 Found\r\nLocation: /page\r\nETag: \"m\"\r\nContent-Length: 0\r\n\r\n")
            } else if request.headers["if-none-match"] == "\"v1\"" {
                client.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
            } else {
                client.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"v1\"\r\nLast-Modified: \(date)\r\nContent-Length: 8\r\n\r\n<p>whole"
                )
            }
        }
    }

    @Test("a page has validators, and an unchanged page is not sent again")
    func unchanged() throws {
        let site = Self.site()
        let fetcher = try testFetcher()
        let first = try fetcher.fetch(site.url("/page"))
        #expect(first.validators == Validators(url: site.url("/page"), etag: "\"v1\"", lastModified: Self.date))
        #expect(!first.isNotModified)
        let second = try fetcher.fetch(FetchRequest(site.url("/page"), copy: first.validators))
        #expect(second.isNotModified && second.body.isEmpty && second.finalURL == site.url("/page"))
        let asked = try #require(site.requests.last)
        #expect(asked.headers["if-none-match"] == "\"v1\"" && asked.headers["if-modified-since"] == Self.date)
        #expect(asked.headers["accept"] == site.requests.first?.headers["accept"])
    }

    @Test("only the URL of the page gets a conditional request, wherever it is in the chain")
    func chain() throws {
        let site = Self.site()
        let fetcher = try testFetcher()
        let copy = try fetcher.fetch(site.url("/moved")).validators
        #expect(copy?.url == site.url("/page"))
        #expect(try fetcher.fetch(FetchRequest(site.url("/moved"), copy: copy)).isNotModified)
        #expect(site.requests.map { $0.headers["if-none-match"] } == [nil, nil, nil, "\"v1\""])
        #expect(text(try fetcher.fetch(FetchRequest(site.url("/other"), copy: copy))) == "<p>whole")
    }

    @Test("a 304 to an unconditional request is a bad response")
    func unasked() throws {
        let site = LoopbackSite { _, client in client.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
        #expect(failure(try testFetcher(), site.url())?.reason == .badResponse)
    }

    @Test(
        "validators that must not be sent back are dropped",
        arguments: [
            ("", ""), ("\"a b\"", "x\u{7F}"), ("\"\u{E9}\"", "Sun\tday"),
            ("\"" + String(repeating: "a", count: 300) + "\"", String(repeating: "1", count: 65)),
            ("\"a\"\r\nX: 1", "a\nb"), ("*", ""), ("a", ""), ("\"", ""), ("w/\"a\"", ""),
        ])
    func unfit(tag: String, date: String) {
        #expect(Validators(url: "http://x.test/", etag: tag, lastModified: date) == nil)
    }

    @Test("after a 403 the browser-like request is conditional too")
    func asBrowser() throws {
        let site = LoopbackSite { request, client in
            let isBrowser = request.headers["sec-fetch-mode"] != nil
            client.send(
                isBrowser ? "HTTP/1.1 304 Not Modified\r\n\r\n" : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        let copy = Validators(url: site.url(), etag: nil, lastModified: Self.date)
        #expect(try testFetcher().fetch(FetchRequest(site.url(), copy: copy)).isNotModified)
        #expect(site.requests.map { $0.headers["if-modified-since"] } == [Self.date, Self.date])
    }

    @Test(
        "a fetch without a body loads no body",
        arguments: ["Content-Length: 9000000\r\n", "Content-Length: 400000000\r\n", ""])
    func withoutBody(length: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(length)\r\n")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        let page = try testFetcher().fetch(FetchRequest(site.url(), wantsBody: false))
        #expect(page.status == 200 && page.body.isEmpty)
    }

    // MARK: - Incomplete responses

    @Test(
        "an incomplete page's first part is part of the error",
        arguments: [
            "Content-Length: 900\r\n\r\n<title>Half</title>",
            "Transfer-Encoding: chunked\r\n\r\n13\r\n<title>Half</title>\r\nzz\r\n",
            "Content-Encoding: rot13\r\n\r\n<title>Half</title>",
        ])
    func broken(answer: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\(answer)")
            client.finish()
        }
        let error = try #require(failure(try testFetcher(), site.url()))
        // A body that cannot be decoded provides nothing.
        #expect(error.beginning.map(text) == (error.reason == .badEncoding ? nil : "<title>Half</title>"))
    }

    @Test(
        "a page that redirected is not part of the next hop's error", arguments: ["http://nowhere.invalid/", "/again"])
    func ledOn(target: String) throws {
        let site = LoopbackSite { _, client in
            let page =
                "<title>Just a moment</title><meta http-equiv=refresh content='0;url=\(target)?\(UInt32.random(in: .min ... .max))'>"
            client.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
        }
        let error = try #require(failure(try testFetcher(), site.url()))
        #expect([.dnsError, .tooManyRedirects].contains(error.reason) && error.beginning == nil)
    }

    @Test(
        "the first part of a page that is too large is part of the error; that of another file is not",
        arguments: ["text/html", "text/plain"])
    func tooLarge(type: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n<title>Long</title>")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        let fetcher = try testFetcher {
            $0.limits.compressedBytes = 1_000_000
            $0.wanted = [.html, .text, .pdf]
        }
        let error = try #require(failure(fetcher, site.url()))
        #expect(error.reason == .tooLarge)
        #expect((error.beginning?.body.count ?? 0) == (type == "text/html" ? 256 * 1024 : 0))
    }
}
