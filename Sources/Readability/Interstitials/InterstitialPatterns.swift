/// What obstacles are known by: words of their pages in the languages of most of the web, and marks in their mark-up. Sites
/// are not named, only the products many of them share. Written for judgement by ``InterstitialClassifier``, which looks at how a
/// page is made first: none of these words makes an article an obstacle.
enum InterstitialPatterns {
    /// In classes and ids: of ``challengeMarks``, ``captchaMarks`` and ``wallMarks`` any.
    static let anyMarks = WordPattern([challengeWords, captchaWords, wallWords].joined(separator: " "))
}
