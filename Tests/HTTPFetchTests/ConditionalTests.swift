import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / asking for what has changed")
struct ConditionalTests {
    private static let date = "Sun, 01 Nov 2026 10:00:00 GMT"

    /// Answers 304 to who knows the tag, else the page; `/moved` leads to it.
    private static func site() -> LoopbackSite {
        LoopbackSite { request, client in
            if request.path == "/moved" {
                client.send("HTTP/1.1 302 Found\r\nLocation: /page\r\nETag: \"m\"\r\nContent-Length: 0\r\n\r\n")
            } else if request.headers["if-none-match"] == "\"v1\"" {
                client.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
            } else {
                client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"v1\"\r\nLast-Modified: \(date)\r\nContent-Length: 8\r\n\r\n<p>whole")
            }
        }
    }

    @Test("a page brings what to ask for it with, and is not sent again while it is the same")
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

    @Test("only the address that gave the page is asked so, wherever in the chain it is")
    func chain() throws {
        let site = Self.site()
        let fetcher = try testFetcher()
        let copy = try fetcher.fetch(site.url("/moved")).validators
        #expect(copy?.url == site.url("/page"))
        #expect(try fetcher.fetch(FetchRequest(site.url("/moved"), copy: copy)).isNotModified)
        #expect(site.requests.map { $0.headers["if-none-match"] } == [nil, nil, nil, "\"v1\""])
        #expect(text(try fetcher.fetch(FetchRequest(site.url("/other"), copy: copy))) == "<p>whole")
    }

    @Test("who was not asked so and says that nothing has changed makes no sense")
    func unasked() throws {
        let site = LoopbackSite { _, client in client.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
        #expect(failure(try testFetcher(), site.url())?.reason == .badResponse)
    }

    @Test("what a site may not say again to itself is not kept", arguments: [
        ("", ""), ("\"a b\"", "x\u{7F}"), ("\"\u{E9}\"", "Sun\tday"), ("\"" + String(repeating: "a", count: 300) + "\"", String(repeating: "1", count: 65)),
        ("\"a\"\r\nX: 1", "a\nb"), ("*", ""), ("a", ""), ("\"", ""), ("w/\"a\"", ""),
    ])
    func unfit(tag: String, date: String) { #expect(Validators(url: "http://x.test/", etag: tag, lastModified: date) == nil) }

    @Test("a refusal is asked once more as a browser would, and only for what has changed")
    func asBrowser() throws {
        let site = LoopbackSite { request, client in
            let isBrowser = request.headers["sec-fetch-mode"] != nil
            client.send(isBrowser ? "HTTP/1.1 304 Not Modified\r\n\r\n" : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        let copy = Validators(url: site.url(), etag: nil, lastModified: Self.date)
        #expect(try testFetcher().fetch(FetchRequest(site.url(), copy: copy)).isNotModified)
        #expect(site.requests.map { $0.headers["if-modified-since"] } == [Self.date, Self.date])
    }

    @Test("who only wants to know whether the page is there loads nothing of it", arguments: ["Content-Length: 9000000\r\n", "Content-Length: 400000000\r\n", ""])
    func withoutBody(length: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(length)\r\n")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        let page = try testFetcher().fetch(FetchRequest(site.url(), wantsBody: false))
        #expect(page.status == 200 && page.body.isEmpty)
    }

    // MARK: - What broke off

    @Test("of a page that breaks off what came is told", arguments: [
        "Content-Length: 900\r\n\r\n<title>Half</title>", "Transfer-Encoding: chunked\r\n\r\n13\r\n<title>Half</title>\r\nzz\r\n",
        "Content-Encoding: rot13\r\n\r\n<title>Half</title>",
    ])
    func broken(answer: String) throws {
        let site = LoopbackSite { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\(answer)")
            client.finish()
        }
        let error = try #require(failure(try testFetcher(), site.url()))
        // What cannot be unpacked tells nothing.
        #expect(error.beginning.map(text) == (error.reason == .badEncoding ? nil : "<title>Half</title>"))
    }

    @Test("a page that came and led on is not the beginning of what did not come", arguments: ["http://nowhere.invalid/", "/again"])
    func ledOn(target: String) throws {
        let site = LoopbackSite { _, client in
            let page = "<title>Just a moment</title><meta http-equiv=refresh content='0;url=\(target)?\(UInt32.random(in: .min ... .max))'>"
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
        }
        let error = try #require(failure(try testFetcher(), site.url()))
        #expect([.dnsError, .tooManyRedirects].contains(error.reason) && error.beginning == nil)
    }

    @Test("of a page that is too large the beginning is told, and of anything else nothing", arguments: ["text/html", "text/plain"])
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
