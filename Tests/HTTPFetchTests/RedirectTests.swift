import Testing

@testable import HTTPFetch

/// A fetcher that may reach the sites of these tests and knows `*.test` names for them.
func testFetcher(
    for site: LoopbackSite? = nil, names: [String] = [], _ adjust: (inout FetchSettings) -> Void = { _ in }
) throws -> Fetcher {
    var settings = FetchSettings()
    settings.rules = AddressRules(allowing: try AllowList("127.0.0.1"))
    settings.nameOverrides = names.map { "\($0):\(site?.port ?? 80):127.0.0.1" }
    adjust(&settings)
    return Fetcher(settings)
}

/// The error a fetch ends with; a page where none was expected is an issue of its own.
func failure(_ fetcher: Fetcher, _ url: String) -> FetchError? {
    do throws(FetchError) {
        let page = try fetcher.fetch(url)
        Issue.record("expected an error, got status \(page.status) from \(page.finalURL)")
        return nil
    } catch {
        return error
    }
}

@Suite("HTTPFetch / redirects")
struct RedirectTests {
    @Test("every redirecting status is followed, and the page tells where the chain ended", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) throws {
        let site = LoopbackSite { request, client in
            request.path == "/start"
                ? client.redirect("\(status) Moved", to: "/end?x=1") : client.answer(body: "<title>End</title>")
        }
        let page = try testFetcher().fetch(site.url("/start"))
        #expect(page.finalURL == site.url("/end?x=1"))
        #expect(page.requestedURL == site.url("/start"))
        #expect(page.hops == 1)
        #expect(page.status == 200)
        #expect(String(decoding: page.body, as: UTF8.self) == "<title>End</title>")
    }

    @Test("a URL that leads nowhere else keeps its spelling to the letter")
    func spelling() throws {
        let site = LoopbackSite { _, client in client.answer() }
        let odd = "http://127.0.0.1:\(site.port)/a/../b%7e?q=ü|x#part"
        #expect(try testFetcher().fetch("  \(odd)\n").finalURL == odd)
        #expect(site.requests.map(\.target) == ["/b%7e?q=%C3%BC|x"])
    }
}
