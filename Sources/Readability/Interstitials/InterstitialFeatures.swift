import HTML

/// The structure and text of a page, as far as they reveal an interstitial. They are collected in one walk in linear
/// time, which ends early on a page that is clearly an article.
///
/// Text is measured in letters: characters without white space. Han, kana and Hangul characters count three times.
struct InterstitialFeatures {
    /// A paragraph, heading, button or other run of text between two block boundaries, outside menus, headers and
    /// footers.
    struct Block {
        enum Kind { case text, heading, button }
        var kind: Kind
        /// The text in the form of ``PhraseList/normalized(_:)``; only the beginning of a long text.
        var words: [UInt8]
        var letters: Int
        var linkLetters: Int
        /// Whether the block is running text: long enough, with the end of a sentence, and mostly not links.
        var isProse: Bool
        /// Whether the block asks for consent.
        var asksConsent = false
    }

    /// The first blocks of the page.
    var blocks: [Block] = []
    var title: [UInt8] = []
    /// All visible letters, including those of menus.
    var letters = 0
    var linkLetters = 0
    /// The letters of running text.
    var prose = 0
    /// The letters of running text in blocks that ask for consent.
    var consentProse = 0
    /// The maximum number of letters of running text without a linked headline between them.
    var longestRun = 0
    /// The number of blocks that are links and as long as a headline.
    var linkedHeadlines = 0
    var passwordFields = 0
    var textFields = 0
    var pictures = 0
    var scripts = 0
    var hasChallengeMark = false
    var hasCaptcha = false
    var hasWallMark = false
    var hasScriptRoot = false
    /// Whether the metadata declares an article.
    var declaresArticle = false
    /// Whether the metadata declares paid content.
    var isPaid = false
    /// Whether the `noscript` text asks for scripts.
    var asksForScripts = false

    init(_ document: borrowing Document) {
        // The walk's copy of the document ends with the walk, so the caller can later change the document in place.
        var walk = InterstitialFeaturesWalk(copy document)
        walk.run()
        self = walk.features
    }

    /// Creates the features of an empty page.
    init() {}
}
