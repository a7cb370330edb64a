/// Whether a new article takes the place of the one that is kept.
///
/// Pages change, and a page that is read again is newer; but a page that was fetched behind a wall, or without what its
/// scripts would have added, takes a good article nothing away.
enum Replacement: Sendable, Equatable {
    case store
    case keep(Why)

    /// Why the article stays.
    enum Why: Sendable, Equatable {
        /// The new one is a part of it, or less.
        case isPart
        case isShorter
    }

    /// What is known of the article that is kept.
    struct StoredState: Sendable, Equatable {
        var facts: ArticleQuality
        /// Made by an older extractor, and its page is not there to be read again: how long it is says little.
        var isOfOlderExtractor = false
    }

    static func decide(_ new: ArticleQuality, insteadOf kept: StoredState?) -> Replacement {
        guard let kept else { return .store }
        let old = kept.facts
        if !new.isWhole { return !old.isWhole && new.isLonger(than: old) ? .store : .keep(.isPart) }
        if !old.isWhole { return new.isStub(beside: old) ? .keep(.isShorter) : .store }
        let isStub = kept.isOfOlderExtractor ? new.isStub(beside: old) : new.letters < old.letters / 2
        // What a browser saw had been chosen because the server saw less.
        let isLessThanTheBrowsers =
            old.source == .client && new.source == .server && !kept.isOfOlderExtractor && new.letters < old.letters - old.letters / 10
        return isStub || isLessThanTheBrowsers ? .keep(.isShorter) : .store
    }
}

extension Replacement.Why {
    /// For the link; ``MissingArticle`` has the others.
    var code: String { "worse_page" }

    /// A sentence for the reader.
    var sentence: String {
        switch self {
        case .isPart: "Only a part of this page could be read again: the article kept before stays."
        case .isShorter: "This page has less text now: the article kept before stays."
        }
    }
}
