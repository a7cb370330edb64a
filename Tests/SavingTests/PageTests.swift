import Testing

@testable import Saving

@Suite("Saving / pages")
struct PageTests {
    @Test(
        "the origin of a page tells whose view it is",
        arguments: [
            (Page.Origin.fetched, PageReceiver.server), (.sent(at: "now"), .client), (.stored(.client), .client),
            (.stored(.server), .server),
        ])
    func source(origin: Page.Origin, source: PageReceiver) {
        #expect(Page(url: "http://a/", contentType: "text/html", origin: origin).source == source)
    }
}
