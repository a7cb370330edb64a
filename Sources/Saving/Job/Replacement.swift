/// Decides whether a new article replaces the existing one.
///
/// Pages change, and the page read last is the newest. But a page that was fetched without access, or without the
/// content that its scripts would have added, must not replace a good article.
enum Replacement: Sendable, Equatable {
    case store
    case keep(Why)

    /// Why the existing article stays.
    enum Why: Sendable, Equatable {
        /// The new article is a part of it, or less.
        case isPart
        case isShorter
    }

    /// The existing article.
    struct Existing: Sendable, Equatable {
        var quality: ArticleQuality
        /// Whether an older extractor made it and its page is not stored. Its length then says little.
        var isOfOlderExtractor = false
    }

    static func decide(_ new: ArticleQuality, insteadOf existing: Existing?) -> Replacement {
        guard let existing else { return .store }
        let old = existing.quality
        if !new.isWhole { return !old.isWhole && new.isLonger(than: old) ? .store : .keep(.isPart) }
        if !old.isWhole { return new.isStub(beside: old) ? .keep(.isShorter) : .store }
        let isStub = existing.isOfOlderExtractor ? new.isStub(beside: old) : new.letters < old.letters / 2
        // The article of a browser was chosen earlier because the server had received less.
        let isLessThanClients =
            old.source == .client && new.source == .server && !existing.isOfOlderExtractor
            && new.letters < old.letters - old.letters / 10
        return isStub || isLessThanClients ? .keep(.isShorter) : .store
    }
}

extension Replacement.Why {
    /// The reason code of the link; ``MissingArticle`` has the others.
    var code: String { "worse_page" }

    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .isPart: "Only a part of this page could be read again. The stored article was kept."
        case .isShorter: "This page has less text now. The stored article was kept."
        }
    }
}
