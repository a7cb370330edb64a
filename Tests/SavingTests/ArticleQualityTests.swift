import Testing

@testable import Saving

@Suite("Saving / article quality")
struct ArticleQualityTests {
    private func quality(_ letters: Int) -> ArticleQuality { ArticleQuality(source: .server, letters: letters) }

    @Test("letters and digits count, spaces and punctuation of ASCII do not")
    func letters() {
        #expect(ArticleQuality(source: .server, text: "a1, b.\n", isWhole: true).letters == 3)
        #expect(ArticleQuality(source: .server, text: "日本", isWhole: true).letters == 2)
    }

    @Test("an article is longer from a tenth on", arguments: [(110, false), (111, true)])
    func longer(letters: Int, isLonger: Bool) { #expect(quality(letters).isLonger(than: quality(100)) == isLonger) }

    @Test("an article is a stub below a quarter", arguments: [(25, false), (24, true)])
    func stub(letters: Int, isStub: Bool) { #expect(quality(letters).isStub(beside: quality(100)) == isStub) }
}
