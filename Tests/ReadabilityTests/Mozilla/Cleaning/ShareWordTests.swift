import Testing

@testable import Readability

@Suite("Readability / share word")
struct ShareWordTests {
    @Test(
        "share is found as a separate word",
        arguments: [
            ("share", true), ("my-share box", true), ("post_share_x", true), ("sharedaddy", true), ("shared", false),
            ("timeshare", false), ("SHARE", true), ("shares share", true),
        ])
    func share(text: String, expected: Bool) { #expect(ShareWord.occurs(in: Array(text.utf8)) == expected) }
}
