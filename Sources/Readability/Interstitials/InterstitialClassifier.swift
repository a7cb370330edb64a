import HTML

/// Decides whether a page is an interstitial, and which one. The structure of the page counts first, and running text
/// outweighs every phrase: an article about captchas, beside a login form, under a cookie banner, is an article.
enum InterstitialClassifier {
    /// Limits for the letters of running text. A page of a kind stays below its limit.
    private enum Limit {
        static let error = 450
        static let challenge = 900
        /// Without a product's mark in the markup.
        static let unmarkedChallenge = 450
        static let login = 400
        /// A page that declares itself an article and has this much text is one.
        static let declaredArticle = 250
        /// The text on a consent page that is not about consent.
        static let besideConsent = 350
        /// The same limit for a page whose title does not mention consent.
        static let besideConsentBar = 90
        /// Some newspapers show several paragraphs to everybody.
        static let beforeWall = 2_400
        static let afterWall = 300
        static let scripts = 150
        /// For all text of the page, not only running text.
        static let empty = 20
    }

    /// The least number of linked headlines on an index page, and the most letters in its longest run of text.
    private static let minHeadlines = 15
    private static let maxIndexRun = 450

    /// - Parameters:
    ///   - overlay: the result of removing the overlays.
    ///   - status: the HTTP status, if known.
    static func classify(
        _ page: InterstitialFeatures, overlay: Overlays.Found = Overlays.Found(), status: Int? = nil
    ) -> Interstitial? {
        if isChallenge(page, status) { return .botChallenge }
        if isError(page, status) { return .errorPage }
        if isConsent(page, overlay) { return .consentWall }
        if isSubscription(page) { return .subscriptionWall }
        if isLogin(page) { return .loginWall }
        if needsScripts(page) { return .needsScripts }
        if isIndex(page) { return .index }
        return nil
    }

    /// Returns the reason that a page without an interstitial yielded no article.
    static func explain(_ page: InterstitialFeatures) -> Interstitial? {
        if page.letters <= Limit.empty && page.pictures == 0 {
            return page.asksForScripts || page.hasScriptRoot && page.scripts > 0 ? .needsScripts : .empty
        }
        return page.linkedHeadlines >= minHeadlines ? .index : nil
    }

    /// Counts the letters of running text before the wall. They decide whether the beginning is worth keeping.
    static func proseBeforeWall(_ page: InterstitialFeatures) -> Int {
        var letters = 0
        for block in page.blocks {
            if isWall(block, of: page) { break }
            if block.isProse, !block.asksConsent { letters += block.letters }
        }
        return letters
    }

    // MARK: - Kinds

    private static func isChallenge(_ page: InterstitialFeatures, _ status: Int?) -> Bool {
        let prose = page.prose - page.consentProse
        guard prose < Limit.challenge, !(page.declaresArticle && prose >= Limit.declaredArticle) else { return false }
        if page.hasChallengeMark { return true }
        guard prose < Limit.unmarkedChallenge else { return false }
        let hasTitle = isTitled(InterstitialPatterns.challengeTitles, page)
        let asks = page.blocks.contains { InterstitialPatterns.challengePhrases.isIn($0.words) }
        if asks { return hasTitle || page.hasCaptcha || prose == 0 || page.linkedHeadlines < 5 }
        let isRefused = status.map { [403, 429, 503].contains($0) } ?? false
        // Many pages say "Please wait", so the title alone is not enough.
        return hasTitle && (page.hasCaptcha || isRefused || page.asksForScripts)
    }

    private static func isError(_ page: InterstitialFeatures, _ status: Int?) -> Bool {
        guard page.prose < Limit.error, !(page.declaresArticle && page.prose >= Limit.declaredArticle) else {
            return false
        }
        if let status, status >= 400 { return true }
        let parts = page.title.split { [UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ":")].contains($0) }
        return isTitled(InterstitialPatterns.errorPhrases, page)
            || parts.contains { InterstitialPatterns.errorWords.isAll(of: $0) }
            || page.blocks.contains { $0.kind == .heading && InterstitialPatterns.errorWords.isAll(of: $0.words) }
    }

    private static func isConsent(_ page: InterstitialFeatures, _ overlay: Overlays.Found) -> Bool {
        guard page.prose - page.consentProse < Limit.besideConsent else { return false }
        if overlay.consentIsBulk { return true }
        let hasTitle = isTitled(InterstitialPatterns.consentTitles, page)
        let isAsked = page.blocks.contains {
            $0.kind != .heading && InterstitialPatterns.consentButtons.isAll(of: $0.words)
        }
        guard isAsked, page.blocks.contains(where: \.asksConsent) else { return false }
        // A few lines of news beside a cookie bar are an article.
        return hasTitle || page.consentProse > 0 && page.prose - page.consentProse < Limit.besideConsentBar
    }

    /// Whether the running text contains a wall with little text after it.
    private static func isSubscription(_ page: InterstitialFeatures) -> Bool {
        guard page.prose < Limit.beforeWall else { return false }
        guard let wall = page.blocks.firstIndex(where: { isWall($0, of: page) }) else {
            return page.isPaid && page.hasWallMark && page.prose < Limit.challenge
        }
        let after = page.blocks[wall...].dropFirst().reduce(0) {
            $0 + ($1.isProse && !isWall($1, of: page) && !$1.asksConsent ? $1.letters : 0)
        }
        let before = proseBeforeWall(page)
        // A wall with no text before it may advertise something else, unless the page declares an article or a paywall.
        return after <= Limit.afterWall && (before > 0 || page.declaresArticle || page.isPaid || page.hasWallMark)
    }

    private static func isWall(_ block: InterstitialFeatures.Block, of page: InterstitialFeatures) -> Bool {
        guard block.letters < Limit.afterWall else { return false }
        return InterstitialPatterns.wallPhrases.isIn(block.words)
            || (page.isPaid || page.hasWallMark) && InterstitialPatterns.wallHints.isIn(block.words)
    }

    private static func isLogin(_ page: InterstitialFeatures) -> Bool {
        guard page.prose - page.consentProse < Limit.login,
            !(page.declaresArticle && page.prose >= Limit.declaredArticle)
        else { return false }
        let hasTitle =
            isTitled(InterstitialPatterns.loginTitles, page)
            || page.blocks.contains { $0.kind == .button && InterstitialPatterns.loginTitles.isAll(of: $0.words) }
        if page.passwordFields > 0 { return hasTitle || page.prose == 0 }
        if page.textFields > 0, hasTitle {
            return page.prose < Limit.declaredArticle && page.linkedHeadlines < minHeadlines
        }
        return page.prose < Limit.declaredArticle && !page.declaresArticle
            && page.blocks.contains { isWall($0, of: page) && ($0.kind == .heading || page.prose == 0 || $0.isProse) }
    }

    private static func needsScripts(_ page: InterstitialFeatures) -> Bool {
        guard page.prose < Limit.scripts, page.scripts > 0, page.linkedHeadlines < 5 else { return false }
        if page.blocks.contains(where: { InterstitialPatterns.scriptPhrases.isIn($0.words) }) { return true }
        let isWaiting =
            !page.blocks.isEmpty && page.blocks.allSatisfy { InterstitialPatterns.loadingWords.isAll(of: $0.words) }
        return isWaiting || page.prose == 0 && page.asksForScripts && page.letters < Limit.scripts
    }

    private static func isIndex(_ page: InterstitialFeatures) -> Bool {
        page.linkedHeadlines >= minHeadlines && page.longestRun < maxIndexRun && !page.declaresArticle
            && page.linkLetters * 10 >= page.letters * 4
    }

    /// Whether the title or one of the first headings contains a phrase. Texts longer than a heading are ignored.
    private static func isTitled(_ phrases: PhraseList, _ page: InterstitialFeatures) -> Bool {
        let texts =
            [page.title] + page.blocks.lazy.filter { $0.kind == .heading && $0.letters < 90 }.prefix(3).map(\.words)
        return texts.contains { $0.count < 300 && phrases.isIn($0) }
    }
}
