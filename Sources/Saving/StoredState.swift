import HTTPFetch

/// What there is of a link before its job begins.
struct StoredState: Sendable, Equatable {
    var article: ExistingArticle?
    /// The page that the article was made from, where an older extractor read it.
    var origin: StoredPage?
    /// Other pages of the link that this extractor has not read yet: those that clients sent, before those that were fetched.
    var unread: [StoredPage] = []
    var hasHighlights = false
    /// What the site said of the page when it was read last, where nothing would come of reading the same again.
    var copy: Validators?
    /// A visit is remembered.
    var hasVisit = false
}

/// The article that is there.
struct ExistingArticle: Sendable, Equatable {
    var source: PageSource
    var text: String
    var isWhole: Bool
    var isOfOlderExtractor: Bool
    /// When it was made, as PostgreSQL writes it.
    var extractedAt = ""

    /// What a new article has to compare with.
    ///
    /// - Parameter facts: of the article that this extractor makes of the same page.
    func kept(readAgain facts: ArticleQuality?) -> Replacement.StoredState {
        guard let facts else {
            return .init(facts: ArticleQuality(source: source, text: text, isWhole: isWhole), isOfOlderExtractor: isOfOlderExtractor)
        }
        return .init(facts: facts)
    }
}

/// A page that lies in the database.
struct StoredPage: Sendable, Equatable {
    enum Place: Sendable, Equatable {
        /// As the client sent it last, at this time as PostgreSQL writes it.
        case sent(at: String)
        /// What an article was made from.
        case source(PageSource)
    }

    var place: Place
    var page: Page

    var source: PageSource {
        switch place {
        case .sent: .client
        case .source(let source): source
        }
    }
}

/// A page, who saw it, and what was read in it.
struct PageView: Sendable, Equatable {
    var source: PageSource
    /// Nil: it was fetched just now.
    var place: StoredPage.Place?
    var page: Page
    var reading: ExtractedPage
}

/// What a job has found out.
struct SaveOutcome: Sendable, Equatable {
    /// The view that the link speaks of; nil where nothing was read, as there was nothing new.
    var view: PageView?
    /// The one whose article is stored: the view itself, or the page that the article of before was made from, read anew; nil
    /// where the article of before stays, or there is none.
    var stored: PageView?
    /// Why that view was taken where there were others.
    var reason: PageChoice.Reason?
    /// Why the article that is there stays, where the view has one too.
    var stays: Replacement.Why?
    /// All pages that were read.
    var pages: [PageView] = []
}
