import Testing

@testable import Saving

@Suite("Saving / canonical links")
struct CanonicalLinkTests {
    @Test("tracker parameters are removed, and nothing else")
    func trackers() {
        let page = Page(url: "http://a.test/b?utm_source=x&c=d#e", contentType: "text/html")
        #expect(CanonicalLink(page).resolvedURL == "http://a.test/b?c=d#e")
    }
}
