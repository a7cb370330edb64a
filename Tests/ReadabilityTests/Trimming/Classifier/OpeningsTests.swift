import Testing

@testable import Readability

@Suite("Readability / openings")
struct OpeningsTests {
    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test(
        "a phrase must end where a word of the text ends",
        arguments: [
            ("read more: cows", true), ("read more", true), ("read moreover", false), ("to read more", false),
            ("", false), ("r", false),
        ])
    func opens(text: String, expected: Bool) {
        #expect(Openings("read more\nsee also").opens(bytes(text)) == expected)
    }

    @Test("the longest phrase counts")
    func longest() {
        #expect(Openings("read\nread more").opening(of: bytes("read more cows")) == 9)
        #expect(Openings("read\nread more").opening(of: bytes("see also")) == nil)
    }

    @Test("a script without spaces needs no end of a word")
    func withoutSpaces() { #expect(Openings("関連記事").opens(bytes("関連記事一覧"))) }

    @Test(
        "signs, digits and counters may follow a phrase that is the whole text",
        arguments: [
            ("comments", true), ("comments (12)", true), ("comments – 5", true), ("comments on it", false),
            ("コメント（3件）", true), ("コメント一覧", false),
        ])
    func all(text: String, expected: Bool) {
        #expect(Openings("comments\nコメント").isAll(of: bytes(text)) == expected)
    }

    @Test("a phrase is found at the start of any word")
    func occurs() {
        #expect(Openings("photo by").occurs(in: bytes("a nice photo by anna")))
        #expect(!Openings("photo by").occurs(in: bytes("a telephoto by anna")))
    }
}
