import Testing

@testable import Readability

@Suite("Readability / words anywhere in a text")
struct WordPatternTests {
    private let pattern = WordPattern("banner ban-side share shared related-posts -ad-")

    @Test(
        "a word is found wherever it stands, in any case",
        arguments: ["banner", "top banner", "TopBanner2", "x-BAN-SIDE", "sharing shared", "Related-Posts", "an-ad-here", "babanner", "relatedrelated-posts"])
    func found(text: String) { #expect(pattern.matches(text)) }

    @Test(
        "a beginning of a word, or a word with another letter in it, is none",
        arguments: ["", "b", "ban", "banne", "ban-sid", "shar", "related_posts", "ad", "-ad", "bannèr", "bbbbb", "\u{1}anner", "\u{2}anner"])
    func missed(text: String) { #expect(!pattern.matches(text)) }

    @Test("one look for several lists sees what each of them sees")
    func marks() {
        for words in [InterstitialPatterns.challengeWords, InterstitialPatterns.captchaWords, InterstitialPatterns.wallWords] {
            for word in words.split(whereSeparator: \.isWhitespace) { #expect(InterstitialPatterns.anyMarks.matches("a " + word)) }
        }
    }
}
