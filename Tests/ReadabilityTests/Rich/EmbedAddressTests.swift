import HTML
import Links
import Testing

@testable import Readability

@Suite("Readability / pages of embedded frames")
struct EmbedAddressTests {
    @Test(
        "the public page is derived from the frame's URL",
        arguments: [
            ("https://player.vimeo.com/video/123", "https://vimeo.com/123"),
            ("https://x.example/frame?href=https%3A%2F%2Fa.example%2F1", "https://a.example/1"),
            ("https://tube.example/videos/embed/9", "https://tube.example/videos/watch/9"),
            ("https://social.example/@me/112/embed/captioned", "https://social.example/@me/112"),
        ])
    func known(frame: String, page: String) throws {
        let address = EmbedAddress(try #require(WebAddress(frame)))
        #expect(address.page == page)
        #expect(address.isKnown)
    }

    @Test(
        "any other frame is its own page",
        arguments: ["https://x.example/frame", "https://x.example/f?url=https%3A%2F%2Fapi.x.example%2F1"])
    func unknown(frame: String) throws {
        let address = EmbedAddress(try #require(WebAddress(frame)))
        #expect(address.page == frame)
        #expect(!address.isKnown)
    }
}
