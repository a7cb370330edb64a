import HTTPFetch
import Testing

@Suite("HTTPFetch / redirect chain")
struct RedirectChainTests {
    /// A site whose `/start` redirects to `location`. Every other path is a page.
    private func site(redirectingTo location: String) -> LoopbackSite {
        LoopbackSite { request, client in
            request.path == "/start" ? client.redirect(to: location) : client.answer(body: "end")
        }
    }

    @Test("every redirect status is followed, and the page has the final URL", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) throws {
        let site = LoopbackSite { request, client in
            request.path == "/start" ? client.redirect("\(status) Moved", to: "/end?x=1") : client.answer(body: "end")
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == site.url("/end?x=1"))
        #expect(page.requestedURL == site.url("/start"))
        #expect(page.hops == 1)
        #expect(page.status == 200)
        #expect(text(page) == "end")
    }

    @Test(
        "permanent redirects at the beginning tell the new URL",
        arguments: [
            (["301 Moved", "308 Moved"], "/2"), (["301 Moved", "302 Found"], "/1"), (["302 Found", "301 Moved"], nil),
            ([], nil),
        ])
    func permanent(statuses: [String], expected: String?) throws {
        let site = LoopbackSite { request, client in
            let hop = Int(request.path.dropFirst()) ?? 0
            hop < statuses.count ? client.redirect(statuses[hop], to: "/\(hop + 1)") : client.answer(body: "end")
        }
        #expect(try testFetcher().fetch(site.url("/0")).permanentURL == expected.map { site.url($0) })
    }

    @Test("a URL without a redirect keeps its exact spelling")
    func spelling() throws {
        let site = LoopbackSite { _, client in client.answer() }
        let odd = "http://127.0.0.1:\(site.port)/a/../b%7e?q=ü|x#part"
        #expect(try testFetcher().fetch("  \(odd)\n").finalURL == odd)
        #expect(site.requests.map(\.target) == ["/b%7e?q=%C3%BC|x"])
    }

    @Test(
        "unusual locations are parsed as in browsers",
        arguments: [
            ("next", "/next"), ("?q=1", "/start?q=1"), ("./a/../b", "/b"), ("\\back\\slash", "/back/slash"),
            ("/sp ace", "/sp%20ace"), ("/caf\u{E9}", "/caf%C3%A9"), (" /trim ", "/trim"), ("/a;b=c", "/a;b=c"),
        ])
    func odd(location: String, expected: String) throws {
        let site = LoopbackSite { request, client in
            request.target == "/start" ? client.redirect(to: location) : client.answer(body: "end")
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == site.url(expected))
        #expect(site.requests.last?.target == expected)
    }

    @Test("a location that is not valid UTF-8 reaches the server unchanged")
    func latin1() throws {
        let site = LoopbackSite { request, client in
            guard request.path == "/start" else { return client.answer() }
            client.send(
                Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf".utf8) + [0xE9, 13, 10, 13, 10])
        }
        #expect(try testFetcher().fetch(site.url("/start")).finalURL == site.url("/caf%E9"))
    }

    @Test("a location without a scheme leads to the host it names")
    func schemeRelative() throws {
        let other = LoopbackSite { _, client in client.answer(body: "other") }
        let site = site(redirectingTo: "//127.0.0.1:\(other.port)/x")
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == other.url("/x"))
        #expect(text(page) == "other")
    }

    @Test("a redirect target without a fragment inherits the fragment")
    func fragment() throws {
        let without = site(redirectingTo: "/end")
        #expect(try testFetcher().fetch(without.url("/start#a")).finalURL == without.url("/end#a"))
        let with = site(redirectingTo: "/end#b")
        #expect(try testFetcher().fetch(with.url("/start#a")).finalURL == with.url("/end#b"))
    }

    @Test("ten hops are followed, and the eleventh is too many")
    func cap() throws {
        let site = LoopbackSite { request, client in
            let number = Int(request.path.dropFirst()) ?? 0
            number == 0 ? client.answer(body: "end") : client.redirect(to: "/\(number - 1)")
        }
        let fetcher = try testFetcher()
        #expect(try fetcher.fetch(site.url("/10")).hops == 10)
        let error = failure(fetcher, site.url("/11"))
        #expect(error?.reason == .tooManyRedirects)
        #expect(error?.hops == 10)
        #expect(error?.retryable == false)
        #expect(error?.url == site.url("/1"))
    }

    @Test("a loop ends as too many redirects")
    func loop() throws {
        let site = site(redirectingTo: "/start")
        #expect(failure(try testFetcher(), site.url("/start"))?.reason == .tooManyRedirects)
        #expect(site.requests.count == 11)
    }

    @Test("a redirect to the same URL with a new cookie opens the page")
    func cookieGate() throws {
        let site = LoopbackSite { request, client in
            request.headers["cookie"] == "pass=1"
                ? client.answer(body: "inside") : client.redirect(to: request.target, ["Set-Cookie: pass=1; Path=/"])
        }
        let page = try testFetcher().fetch(site.url("/connectGuard"))
        #expect(text(page) == "inside")
        #expect(page.hops == 1)
    }

    @Test("cookies live within one chain only, and on their own host")
    func cookies() throws {
        let site = LoopbackSite { request, client in
            switch request.path {
            case "/set": client.redirect(to: "/show", ["Set-Cookie: secret=1; Path=/"])
            case "/away":
                client.redirect(
                    to: "http://other.test:\(request.headers["host"]?.split(separator: ":").last ?? "")/show")
            default: client.answer(body: request.headers["cookie"] ?? "none")
            }
        }
        let fetcher = try testFetcher(names: ["other.test"], at: site)
        #expect(text(try fetcher.fetch(site.url("/set"))) == "secret=1")
        #expect(text(try fetcher.fetch(site.url("/show"))) == "none")
        #expect(text(try fetcher.fetch(site.url("/away"))) == "none")
    }

    @Test(
        "redirects out of http end as a blocked scheme",
        arguments: [
            "file:///etc/passwd", "gopher://127.0.0.1/", "dict://127.0.0.1/", "ftp://127.0.0.1/", "javascript:alert(1)",
            "data:text/html,x", "mailto:a@b", "FILE:///x",
        ])
    func schemes(location: String) throws {
        let site = site(redirectingTo: location)
        let error = failure(try testFetcher(), site.url("/start"))
        #expect(error?.reason == .blockedScheme)
        #expect(error?.retryable == false)
        #expect(site.requests.count == 1)
    }

    @Test("a redirect without a valid target is a bad response", arguments: ["", "http://", "http://?x"])
    func nowhere(location: String) throws {
        let site = site(redirectingTo: location)
        #expect(failure(try testFetcher(), site.url("/start"))?.reason == .badResponse)
    }

    @Test(
        "the body of a redirect is not awaited",
        arguments: ["", "Content-Length: 900\r\n", "Content-Length: 9000000\r\n"])
    func redirectBody(length: String) throws {
        let site = LoopbackSite { request, client in
            guard request.path == "/start" else { return client.answer(body: "end") }
            client.send("HTTP/1.1 302 Found\r\nLocation: /end\r\n\(length)\r\nsome")
            pause(30_000)
            client.finish()
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(text(page) == "end")
        #expect(page.seconds < 15)
    }

    @Test("a wrapped URL is unwrapped without a request and counts as a hop")
    func unwrapped() throws {
        let end = LoopbackSite { _, client in client.answer(body: "end") }
        let counter = LoopbackSite { _, client in client.answer(body: "counted") }
        let inner = counter.url("/click?url=\(end.url("/page?x=1"))")
        let page = try testFetcher().fetch(
            counter.url("/redirect?to=\(inner.replacing(":", with: "%3A").replacing("/", with: "%2F"))"))
        #expect(text(page) == "end" && page.finalURL == end.url("/page?x=1") && page.hops == 2)
        #expect(counter.requests.isEmpty)
    }

    @Test("a wrapped URL is unwrapped within a chain too, and its target is checked like any other")
    func unwrappedOnTheWay() throws {
        let site = site(redirectingTo: "/out?url=http%3A%2F%2F10.0.0.1%2F")
        let error = try failure(testFetcher(), site.url("/start"))
        #expect(error?.reason == .blockedAddress && error?.hops == 2)
        #expect(site.requests.map(\.path) == ["/start"])
    }

    @Test("a redirect to a script that redirects back is followed, because it may set a required cookie")
    func handshake() throws {
        let site = LoopbackSite { request, client in
            switch request.path {
            case "/redirect": client.redirect(to: "/start", ["Set-Cookie: seen=1; Path=/"])
            case _ where request.headers["cookie"] != nil: client.answer(body: "end")
            default:
                client.redirect(to: "/redirect?url=http%3A%2F%2F\(request.headers["host"] ?? "")%2Fstart%3Ftrack%3D1")
            }
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(text(page) == "end" && page.hops == 2)
    }

    @Test("ten nested wrappers are unwrapped, and an eleventh is too many")
    func nested() throws {
        let end = LoopbackSite { _, client in client.answer(body: "end") }
        func wrapped(_ times: Int) -> String {
            (0..<times).reduce(end.url("/page")) { url, _ in end.url("/go?url=\(url)") }
        }
        #expect(try testFetcher().fetch(wrapped(10)).hops == 10)
        #expect(try failure(testFetcher(), wrapped(11))?.reason == .tooManyRedirects)
    }

    @Test("a picture's URL is requested unchanged")
    func pictures() throws {
        let site = LoopbackSite { _, client in client.answer(type: "image/png", body: "x") }
        let fetcher = try testFetcher { $0.wanted = [.image] }
        _ = try? fetcher.fetch(site.url("/redirect?url=http%3A%2F%2F127.0.0.1%2F"))
        #expect(site.requests.map(\.path) == ["/redirect"])
    }
}
