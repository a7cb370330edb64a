import Testing

@testable import Readability

@Suite("Readability / URLs of videos")
struct VideoAddressTests {
    @Test(
        "hosts of known players are found after `//`",
        arguments: [
            ("https://www.YouTube.com/embed/x", true), ("//player.vimeo.com/1", true),
            ("x https://archive.org/embed/y", true),
            ("https://example.org/?u=youtube.com", false), ("https://notyoutube.com/", false), ("", false),
        ])
    func mentioned(text: String, expected: Bool) { #expect(VideoAddress.isMentioned(in: text) == expected) }
}
