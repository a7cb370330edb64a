import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / refresh")
struct RefreshTests {
    @Test(
        "a value has a delay and a target in any notation",
        arguments: [
            ("0;url=/x", 0, "/x"), ("5; URL='/x'", 5, "/x"), ("1.5;url=\"/x\" y", 1, "/x"), (" 3 , /x ", 3, "/x"),
            ("0; url = /x?a=b;c", 0, "/x?a=b;c"), (";url=/x", 0, "/x"), ("0;url", 0, "url"), ("2;", 2, nil),
            ("300", 300, nil),
            ("URL=/x", 0, "/x"),
        ] as [(String, Int, String?)])
    func values(value: String, delay: Int, target: String?) {
        let refresh = Refresh(value)
        #expect(refresh?.delay == delay)
        #expect(refresh?.target == target)
    }

    @Test("an invalid value is no refresh", arguments: ["", "soon", "/x"])
    func noValue(value: String) {
        #expect(Refresh(value) == nil)
    }

    @Test("header and meta refreshes are followed as hops", arguments: [true, false])
    func followed(asHeader: Bool) throws {
        let site = LoopbackSite { request, client in
            switch request.path {
            case "/start" where asHeader: client.answer("200 OK", ["Refresh: 20; url=/end"], body: "wait")
            case "/start": client.answer(body: "<head><meta http-equiv=refresh content='20; url=/end'></head>")
            default: client.answer(body: "end")
            }
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == site.url("/end"))
        #expect(page.hops == 1)
        #expect(page.seconds < 15, "the delay is for readers")
    }

    @Test(
        "a page that reloads itself is the result",
        arguments: [
            "600", "5", "0;url=/page", "0;url=#top", "900;url=/slide2", "0;url=javascript:x()",
        ])
    func notFollowed(value: String) throws {
        let site = LoopbackSite { _, client in client.answer("200 OK", ["Refresh: \(value)"], body: "page") }
        let page = try testFetcher().fetch(site.url("/page"))
        #expect(page.hops == 0)
        #expect(text(page) == "page")
    }

    @Test("a refresh to the same URL with a new cookie opens the page")
    func cookieGate() throws {
        let site = LoopbackSite { request, client in
            request.headers["cookie"] == nil
                ? client.answer("200 OK", ["Refresh: 0", "Set-Cookie: pass=1"], body: "connectGuard")
                : client.answer("200 OK", ["Refresh: 0", "Set-Cookie: pass=1"], body: "inside")
        }
        #expect(text(try testFetcher().fetch(site.url("/connectGuard"))) == "inside")
    }

    @Test("an endless refresh ends as too many redirects")
    func loop() throws {
        let site = LoopbackSite { request, client in
            client.answer("200 OK", ["Refresh: 0; url=\(request.path)x"])
        }
        #expect(failure(try testFetcher(), site.url("/a"))?.reason == .tooManyRedirects)
    }
}
