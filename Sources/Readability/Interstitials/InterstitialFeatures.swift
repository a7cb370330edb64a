import HTML

/// How a page is made and what it says, as far as obstacles are known by it. One walk, in proportion to the page; of a page
/// that is plainly an article it ends there.
///
/// Text is counted in letters: characters without white space, those of Han, kana and Hangul three times.
struct InterstitialFeatures {
    /// A paragraph, heading, button or other run of text between two edges of blocks, outside menus, headers and footers.
    struct Block {
        enum Kind { case text, heading, button }
        var kind: Kind
        /// ``PhraseList/normalized(_:)``; its beginning, where it is long.
        var words: [UInt8]
        var letters: Int
        var linkLetters: Int
        /// Running text: of some length, with the end of a sentence, and mostly no link.
        var isProse: Bool
        /// Asks for consent.
        var asksConsent = false
    }

    /// The first ones.
    var blocks: [Block] = []
    var title: [UInt8] = []
    /// Letters that are shown, those of menus among them.
    var letters = 0
    var linkLetters = 0
    /// Letters of running text.
    var prose = 0
    /// Those of them in blocks that ask for consent.
    var consentProse = 0
    /// Letters of running text one after another, without a headline that is a link between them.
    var longestRun = 0
    /// Blocks of headline length that are links.
    var linkedHeadlines = 0
    var passwordFields = 0
    var textFields = 0
    var pictures = 0
    var scripts = 0
    var hasChallengeMark = false
    var hasCaptcha = false
    var hasWallMark = false
    var hasScriptRoot = false
    /// Its metadata says that it is an article.
    var claimsArticle = false
    /// Its metadata says that one pays for it.
    var isPaid = false
    /// What it says to those who run no scripts asks for them.
    var asksForScripts = false

    init(_ document: borrowing Document) {
        // The walk's copy of the document ends with it, so that the page can be changed in place after.
        var walk = InterstitialFeaturesWalk(copy document)
        walk.run()
        self = walk.survey
    }

    /// Nothing seen yet.
    init() {}
}
