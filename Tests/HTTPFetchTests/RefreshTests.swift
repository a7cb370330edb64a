import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / refresh")
struct RefreshTests {
    @Test("a value is a delay and a target, however it is written", arguments: [
        ("0;url=/x", 0, "/x"), ("5; URL='/x'", 5, "/x"), ("1.5;url=\"/x\" y", 1, "/x"), (" 3 , /x ", 3, "/x"),
        ("0; url = /x?a=b;c", 0, "/x?a=b;c"), (";url=/x", 0, "/x"), ("0;url", 0, "url"), ("2;", 2, nil), ("300", 300, nil),
        ("URL=/x", 0, "/x"),
    ] as [(String, Int, String?)])
    func values(value: String, delay: Int, target: String?) {
        let refresh = Refresh(value)
        #expect(refresh?.delay == delay)
        #expect(refresh?.target == target)
    }

    @Test("what is no refresh is none", arguments: ["", "soon", "/x"])
    func noValue(value: String) {
        #expect(Refresh(value) == nil)
    }

    @Test("a meta refresh is found in the head", arguments: [
        "<meta http-equiv=refresh content='0;url=/x'>",
        "<!doctype html><html><head><title>a</title><META HTTP-EQUIV=\"Refresh\" CONTENT=\"0;url=/x\"/></head>",
        "<head><noscript><meta content='0;url=/x' http-equiv=refresh></noscript></head>",
        "<!-- <meta http-equiv=refresh content='0;url=/no'> --><meta http-equiv=refresh content='0;url=/x'>",
        "<script>'<meta http-equiv=refresh content=\"0;url=/no\">'</script><meta http-equiv=refresh content='0;url=/x'>",
        "<title><meta http-equiv=refresh content='0;url=/no'></title><meta http-equiv=refresh content='0;url=/x'>",
        "<meta name=x http-equiv='refresh' http-equiv=other content=0;url=/x>",
        "<meta http-equiv=refresh content='0;url=&#47;x'>", "<meta http-equiv=refresh content='0;url=&#x2F;x'>",
    ])
    func found(page: String) {
        #expect(Refresh(head: Array(page.utf8)) == Refresh("0;url=/x"))
    }

    @Test("elsewhere it is none", arguments: [
        "<body><meta http-equiv=refresh content='0;url=/x'>", "<head></head><meta http-equiv=refresh content='0;url=/x'>",
        "<meta name=refresh content='0;url=/x'>", "<meta http-equiv=refresh>", "<meta http-equiv=refresh content='",
        "<!-- <meta http-equiv=refresh content='0;url=/x'>", "<script><meta http-equiv=refresh content='0;url=/x'>",
        "", "<", "<meta", "<meta http-equiv", "</",
    ])
    func notFound(page: String) {
        #expect(Refresh(head: Array(page.utf8))?.target == nil)
    }

    @Test("ampersands in a refresh are decoded once")
    func references() {
        let page = "<meta http-equiv=refresh content='0;url=/x?a=1&amp;b=2&c=3&amp;amp;&bogus;'>"
        #expect(Refresh(head: Array(page.utf8))?.target == "/x?a=1&b=2&c=3&amp;&bogus;")
    }

    @Test("header and meta refreshes are followed as hops", arguments: [true, false])
    func followed(asHeader: Bool) throws {
        let site = LoopbackSite { request, client in
            switch request.path {
            case "/start" where asHeader: client.answer("200 OK", ["Refresh: 1; url=/end"], body: "wait")
            case "/start": client.answer(body: "<head><meta http-equiv=refresh content='1; url=/end'></head>")
            default: client.answer(body: "end")
            }
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == site.url("/end"))
        #expect(page.hops == 1)
        #expect(page.seconds < 1, "the delay is for readers")
    }

    @Test("a page that keeps itself fresh is the page", arguments: [
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
                ? client.answer("200 OK", ["Refresh: 0", "Set-Cookie: pass=1"], body: "gate")
                : client.answer("200 OK", ["Refresh: 0", "Set-Cookie: pass=1"], body: "inside")
        }
        #expect(text(try testFetcher().fetch(site.url("/gate"))) == "inside")
    }

    @Test("endless refreshing ends as too many redirects")
    func loop() throws {
        let site = LoopbackSite { request, client in
            client.answer("200 OK", ["Refresh: 0; url=\(request.path)x"])
        }
        #expect(failure(try testFetcher(), site.url("/a"))?.reason == .tooManyRedirects)
    }
}
