/// Which of several views of one page becomes its article.
///
/// One that has an article before one that has none, all of it before what stands in front of a wall, unless that is more than
/// four times as long, then the longer. Views that are alike go by their order.
struct PageChoice: Sendable, Equatable {
    /// Why one view is better than another. The words are stored with the article.
    enum Reason: String, Sendable, Equatable {
        /// The others have no article.
        case only
        /// The others are a part of it.
        case whole
        case longer
        /// None is better; the first is taken.
        case alike
    }

    /// The place of the best among the views.
    var index: Int
    /// Nil where there was nothing to choose.
    var reason: Reason?

    /// - Parameter views: of one page; nil for one without an article. At least one.
    /// - Returns: the first where none has an article.
    static func best(of views: [ArticleQuality?]) -> PageChoice {
        var choice = PageChoice(index: 0, reason: nil)
        for (index, view) in views.enumerated().dropFirst() {
            switch (views[choice.index], view) {
            case (nil, nil): break
            case (nil, .some): choice = PageChoice(index: index, reason: .only)
            case (.some, nil): choice.reason = choice.reason ?? .only
            case (let best?, let view?):
                if let reason = isBetter(view, than: best) {
                    choice = PageChoice(index: index, reason: reason)
                } else {
                    choice.reason = isBetter(best, than: view) ?? .alike
                }
            }
        }
        return choice
    }

    /// Why it is; nil where it is not. Of two, one at most is better.
    static func isBetter(_ one: ArticleQuality, than other: ArticleQuality) -> Reason? {
        switch (one.isWhole, other.isWhole) {
        case (true, false): one.isStub(beside: other) ? nil : .whole
        case (false, true): other.isStub(beside: one) ? .longer : nil
        case (true, true), (false, false): one.isLonger(than: other) ? .longer : nil
        }
    }
}
