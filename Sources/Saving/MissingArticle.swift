import Readability

/// Why a page that was reached has no article, or not all of it.
enum MissingArticle: Sendable, Equatable {
    case notHTML
    case noArticle
    case overBudget
    case behind(Interstitial)

    /// - Returns: nil where nothing is missing.
    init?(_ reading: PageReading) {
        switch reading.interstitial {
        case let interstitial?: self = .behind(interstitial)
        case nil where reading.article == nil: self = .noArticle
        case nil: return nil
        }
    }

    /// Stable, for programs; the sentences tell more kinds apart.
    var code: String {
        switch self {
        case .notHTML: "not_html"
        case .overBudget: "over_budget"
        case .noArticle: "no_article"
        case .behind(let interstitial): interstitial.code
        }
    }

    /// For the log: the interstitial by its own name.
    var name: String { if case .behind(let interstitial) = self { interstitial.rawValue } else { code } }

    /// The page is another than the one that was saved: nothing it says is of that one.
    var replacesSavedPage: Bool { if case .behind(let interstitial) = self { interstitial.replacesSavedPage } else { false } }

    /// What is stored beside it is less than the article, and takes no better one's place.
    var isPartial: Bool { [.overBudget, .behind(.subscriptionWall), .behind(.beginningOnly)].contains(self) }

    /// A sentence for the reader, or two: what happened, and what can be done.
    ///
    /// - Parameter hasText: whether something of the page is its article now.
    func sentence(hasText: Bool) -> String {
        switch self {
        case .notHTML: "This link is not a web page, so there is no article to show. Open the original instead."
        case .noArticle: "No article was found on this page. \(Self.way)"
        case .overBudget where hasText: "This page is too large or too tangled to be read as an article: only its text was kept."
        case .overBudget:
            "This page is too large or too tangled to be read, and nothing of it was kept. Open the original instead."
        case .behind(let interstitial): "\(Self.words(for: interstitial, hasText: hasText)) \(Self.remedy(for: interstitial))"
        }
    }

    /// The sentence where an article that was there before stays.
    var sentenceBesideArticle: String {
        switch self {
        case .notHTML: "This link is not a web page any more: the article kept before stays."
        case .noArticle: "No article was found when this page was read again: the one kept before stays."
        case .overBudget: "This page is too large or too tangled to be read again: the article kept before stays."
        case .behind(let interstitial): "\(Self.words(for: interstitial, hasText: false)) The article kept before stays."
        }
    }

    private static func words(for interstitial: Interstitial, hasText: Bool) -> String {
        switch interstitial {
        case .index: "This page is a list of links and not an article."
        case .consentWall: "The site asks for consent to cookies or terms before it shows the page."
        case .loginWall: "The site shows this page to people who are signed in."
        case .subscriptionWall where hasText: "The site shows the rest of this article to subscribers: only its beginning was kept."
        case .subscriptionWall: "The site shows this article to subscribers."
        case .botChallenge: "The site wants a proof that a person asks for the page, and showed none of it."
        case .errorPage: "The site says that this page is not there, or has an error of its own."
        case .needsScripts: "This page is made by scripts in the browser, and has no text without them."
        case .empty: "This page has no text."
        case .lockedFile: "This file opens with a password."
        case .damagedFile: "This file is damaged, or not what it says it is."
        case .picturesOfText: "This file holds pictures of pages and no text."
        case .beginningOnly: "This file is too long to be kept whole: its beginning was."
        }
    }

    private static func remedy(for interstitial: Interstitial) -> String {
        switch interstitial {
        case .lockedFile, .damagedFile, .picturesOfText, .beginningOnly: "Open the original instead."
        case .index: "Open the original instead, and save the articles you want from it."
        case .errorPage: "Open the original to see whether it has moved, or try again later."
        case .consentWall, .loginWall, .subscriptionWall, .botChallenge, .needsScripts, .empty: way
        }
    }

    /// What works wherever a browser shows more than the server was shown.
    private static let way = "Open the page in your browser and send it from there."
}
