import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / page head")
struct PageHeadTests {
    private func refresh(_ page: String) -> Refresh? { PageHead(Array(page.utf8)).refresh.flatMap(Refresh.init) }

    @Test(
        "a meta refresh is found in the head",
        arguments: [
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
        #expect(refresh(page) == Refresh("0;url=/x"))
    }

    @Test(
        "elsewhere it is ignored",
        arguments: [
            "<body><meta http-equiv=refresh content='0;url=/x'>",
            "<head></head><meta http-equiv=refresh content='0;url=/x'>",
            "<meta name=refresh content='0;url=/x'>", "<meta http-equiv=refresh>", "<meta http-equiv=refresh content='",
            "<!-- <meta http-equiv=refresh content='0;url=/x'>", "<script><meta http-equiv=refresh content='0;url=/x'>",
            "", "<", "<meta", "<meta http-equiv", "</",
        ])
    func notFound(page: String) {
        #expect(refresh(page)?.target == nil)
    }

    @Test("ampersands in a refresh are decoded once")
    func references() {
        let page = "<meta http-equiv=refresh content='0;url=/x?a=1&amp;b=2&c=3&amp;amp;&bogus;'>"
        #expect(refresh(page)?.target == "/x?a=1&b=2&c=3&amp;&bogus;")
    }

    @Test(
        "an AMP document and its canonical page are recognised",
        arguments: [
            "<html amp><link rel=canonical href='/a?b&amp;c'>",
            "<!doctype html><html ⚡ lang=en><head><LINK href='/a?b&amp;c' REL='x Canonical'>",
            "<html amp><meta http-equiv=refresh content=300><link rel=canonical href='/a?b&amp;c'>",
            "<html \u{26A1}\u{FE0F}><style amp-boilerplate></style><link rel=canonical href='/a?b&amp;c'><link rel=canonical href=/no>",
        ])
    func amp(page: String) {
        let head = PageHead(Array(page.utf8))
        #expect(head.isAMP && head.canonical == "/a?b&c")
    }

    @Test(
        "no other page is an AMP document",
        arguments: [
            "<html><link rel=canonical href=/a>", "<html amp4email>", "<html class=amp>", "<!-- <html amp> -->",
            "<head><div amp>", "<html data-amp>",
        ])
    func notAMP(page: String) { #expect(!PageHead(Array(page.utf8)).isAMP) }

    @Test("the canonical page of an AMP document is fetched")
    func followed() throws {
        let site = LoopbackSite { request, client in
            client.answer(
                body: request.path == "/amp/a"
                    ? "<html amp><link rel=canonical href=/a>copy" : "<html><link rel=canonical href=/a>page")
        }
        let page = try testFetcher().fetch(site.url("/amp/a"))
        #expect(text(page).hasSuffix("page") && page.finalURL == site.url("/a") && page.hops == 1)
    }

    @Test(
        "if the canonical page cannot be fetched, the AMP document is the result",
        arguments: ["/gone", "/amp/b", "http://10.0.0.1/", "/loop", "/hangs-up", "/picture", "/empty", "/"])
    func kept(target: String) throws {
        let site = LoopbackSite { request, client in
            switch request.path {
            case "/amp/a": client.answer(body: "<html amp><link rel=canonical href='\(target)'>copy")
            case "/amp/b": client.answer(body: "<html amp><link rel=canonical href=/amp/a>copy")
            case "/loop": client.redirect(to: "/loop")
            case "/picture": client.answer(type: "image/png", body: "x")
            case "/empty": client.answer("204 No Content")
            case "/": client.answer(body: "front page")
            case "/hangs-up": client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            default: client.answer("404 Not Found")
            }
        }
        let page = try testFetcher().fetch(site.url("/amp/a"))
        #expect(text(page).hasSuffix("copy"))
        #expect(page.finalURL == site.url(target == "/amp/b" ? "/amp/b" : "/amp/a"))
    }

    @Test(
        "an AMP document without another fetchable canonical page is the result",
        arguments: ["/amp/a", "#top", "", "javascript:x()", "http://"])
    func itself(target: String) throws {
        let site = LoopbackSite { _, client in
            client.answer(body: "<html amp><link rel=canonical href='\(target)'>copy")
        }
        let page = try testFetcher().fetch(site.url("/amp/a"))
        #expect(page.hops == 0 && site.requests.count == 1)
    }
}
