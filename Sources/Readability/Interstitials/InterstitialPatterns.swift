/// The patterns of interstitials: phrases of their pages in the most common languages of the web, and marks in their
/// markup. The lists name no sites, only products that many sites use. ``InterstitialClassifier`` looks at the
/// structure of a page first, so none of these phrases turns an article into an interstitial.
enum InterstitialPatterns {
    /// In classes and ids: any of ``challengeMarks``, ``captchaMarks`` and ``wallMarks``.
    static let anyMarks = WordPattern([challengeWords, captchaWords, wallWords].joined(separator: " "))
}
