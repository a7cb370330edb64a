import HTTPFetch

/// What is stored of a link before its job begins.
struct StoredState: Sendable, Equatable {
    var saved: SavedURL
    var article: ExistingArticle?
    /// The page of the article, where an older extractor read it.
    var origin: Page?
    /// Whether one of the unread pages is the article as a whole, because it was imported or because the user wants all
    /// of the page; nothing is fetched then.
    var hasWholeArticle: Bool { unread.contains { $0.isArticle && (article == nil || $0.isWanted) } }
    /// Whether the user wants all of the page as the article, also when it is fetched again.
    var isWholePage = false
    /// Other pages of the link that this extractor has not read: those that clients sent, before those that were
    /// fetched.
    var unread: [Page] = []
    var hasHighlights = false
    /// Whether an earlier job has ended well, and nobody has asked for another try since.
    var isReady = false
    /// Whether a save has nothing left to do. A page that a client sends while a job is running queues the link again,
    /// and the running job may read that page as well.
    var isSaved: Bool { isReady && article != nil && unread.isEmpty }
    /// The validators of the copy that was read last, where reading the same page again would change nothing.
    var copy: Validators?
    /// Whether an earlier check of the page is stored.
    var hasPageCheck = false
    /// Whether the page could not be fetched when the link was saved. Only known to checks.
    var hasFailed = false
    /// The quota of the user that keeps the page from being fetched.
    var excess: Quotas.Excess?

    init(saved: SavedURL, article: ExistingArticle? = nil, unread: [Page] = [], hasHighlights: Bool = false) {
        self.saved = saved
        self.article = article
        self.unread = unread
        self.hasHighlights = hasHighlights
    }
}

/// The article that is stored already.
struct ExistingArticle: Sendable, Equatable {
    var source: PageReceiver
    var text: String
    var isWhole: Bool
    var isOfOlderExtractor: Bool
    /// When it was stored, as PostgreSQL writes it.
    var extractedAt = ""

    /// The article as a new one is compared with it.
    ///
    /// - Parameter quality: the quality of the article that this extractor makes of the same page.
    func existing(readAgain quality: ArticleQuality?) -> Replacement.Existing {
        if let quality { return .init(quality: quality) }
        return .init(
            quality: ArticleQuality(source: source, text: text, isWhole: isWhole),
            isOfOlderExtractor: isOfOlderExtractor)
    }
}
