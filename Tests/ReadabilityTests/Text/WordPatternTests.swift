import Testing

@testable import Readability

@Suite("Readability / word pattern")
struct WordPatternTests {
    private let pattern = WordPattern("banner ban-side share shared related-posts -ad-")

    @Test(
        "a word is found anywhere, in any case",
        arguments: [
            "banner", "top banner", "TopBanner2", "x-BAN-SIDE", "sharing shared", "Related-Posts", "an-ad-here",
            "babanner", "relatedrelated-posts",
        ])
    func found(text: String) { #expect(pattern.matches(text)) }

    @Test(
        "the start of a word, or a word with a different letter, does not match",
        arguments: [
            "", "b", "ban", "banne", "ban-sid", "shar", "related_posts", "ad", "-ad", "bannèr", "bbbbb", "\u{1}anner",
            "\u{2}anner",
        ])
    func missed(text: String) { #expect(!pattern.matches(text)) }

    @Test("the pattern of all interstitial words matches every word of each list")
    func marks() {
        for words in [
            InterstitialPatterns.challengeWords, InterstitialPatterns.captchaWords, InterstitialPatterns.wallWords,
        ] {
            for word in words.split(whereSeparator: \.isWhitespace) {
                #expect(InterstitialPatterns.anyMarks.matches("a " + word))
            }
        }
    }
}
