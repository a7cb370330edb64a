import HTML
import Links
import Testing

@testable import Readability

@Suite("Readability / providers of embeds")
struct EmbedProviderTests {
    private let provider = EmbedProvider(
        host: "v.example", frame: "/embed/{id}.html?list={list}", page: "https://v.example/{list}/{id}",
        thumbnail: "https://i.v.example/{id}.jpg")

    @Test("a frame is matched on the host and its subdomains", arguments: ["v.example", "www.v.example"])
    func matched(host: String) throws {
        let frame = try #require(WebAddress("https://\(host)/embed/a-1.html?x=y&list=L"))
        let found = EmbedProvider.resolve(frame, among: [provider])
        #expect(found?.page == "https://v.example/L/a-1")
        #expect(found?.thumbnail == "https://i.v.example/a-1.jpg")
    }

    @Test(
        "other hosts, paths and values are not matched",
        arguments: [
            "https://notv.example/embed/a.html?list=L", "https://v.example/embed/a?list=L",
            "https://v.example/embed/a.html",
            "https://v.example/embed/x/a.html?list=L", "https://v.example/embed/.html?list=L",
        ])
    func unmatched(frame: String) throws {
        #expect(EmbedProvider.resolve(try #require(WebAddress(frame)), among: [provider]) == nil)
    }
}
