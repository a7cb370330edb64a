/// Chooses which of several pages of one link becomes its article.
///
/// A page with an article is preferred to one without, and a whole article to the beginning of one, unless that is more
/// than four times as long; then the longer article is preferred. Among similar articles the first page is chosen.
struct PageChoice: Sendable, Equatable {
    /// Why one page is better than another. The raw values are stored with the article.
    enum Reason: String, Sendable, Equatable {
        /// The other pages have no article.
        case only
        /// The other articles are incomplete.
        case whole
        case longer
        /// No article is better than the first.
        case alike
    }

    /// The index of the best page.
    var index: Int
    /// Nil where there was no choice.
    var reason: Reason?

    /// - Parameter qualities: of the articles of at least one page; nil for a page without an article.
    /// - Returns: the first page where none has an article.
    static func best(of qualities: [ArticleQuality?]) -> PageChoice {
        var choice = PageChoice(index: 0, reason: nil)
        for (index, quality) in qualities.enumerated().dropFirst() {
            switch (qualities[choice.index], quality) {
            case (nil, nil): break
            case (nil, .some): choice = PageChoice(index: index, reason: .only)
            case (.some, nil): choice.reason = choice.reason ?? .only
            case (let best?, let quality?):
                if let reason = isBetter(quality, than: best) {
                    choice = PageChoice(index: index, reason: reason)
                } else {
                    choice.reason = isBetter(best, than: quality) ?? .alike
                }
            }
        }
        return choice
    }

    /// Why one article is better than another; nil where it is not. At most one of two is better.
    static func isBetter(_ one: ArticleQuality, than other: ArticleQuality) -> Reason? {
        switch (one.isWhole, other.isWhole) {
        case (true, false): one.isStub(beside: other) ? nil : .whole
        case (false, true): other.isStub(beside: one) ? .longer : nil
        case (true, true), (false, false): one.isLonger(than: other) ? .longer : nil
        }
    }
}
