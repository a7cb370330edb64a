import Readability

/// The reason a fetched page yielded no article, or only a part of it.
enum MissingArticle: Sendable, Equatable {
    case notHTML
    case noArticle
    case overBudget
    /// A file of the user that is too large or too complex. The file itself is kept.
    case unreadFile
    case behind(Interstitial)

    /// - Returns: nil where nothing is missing.
    init?(_ reading: PageReading) {
        switch reading.interstitial {
        case let interstitial?: self = .behind(interstitial)
        case nil where reading.article == nil: self = .noArticle
        case nil: return nil
        }
    }

    /// The reason code for programs. It is stable; the sentences distinguish more cases.
    var code: String {
        switch self {
        case .notHTML: "not_html"
        case .overBudget, .unreadFile: "over_budget"
        case .noArticle: "no_article"
        case .behind(let interstitial): interstitial.code
        }
    }

    /// The name for the log: the interstitial's own where there is one.
    var name: String { if case .behind(let interstitial) = self { interstitial.rawValue } else { code } }

    /// Whether the page is another than the saved one, so that nothing on it describes the saved page.
    var replacesSavedPage: Bool {
        if case .behind(let interstitial) = self { interstitial.replacesSavedPage } else { false }
    }

    /// Whether the stored text is less than the article, and must not replace a better one.
    var isPartial: Bool {
        [.overBudget, .unreadFile, .behind(.subscriptionWall), .behind(.beginningOnly)].contains(self)
    }

    /// One or two sentences for the user: what happened, and what to do.
    ///
    /// - Parameter hasText: whether some text of the page was stored as its article.
    func sentence(hasText: Bool) -> String {
        switch self {
        case .notHTML: "This link is not a web page, so there is no article to show. Open the original instead."
        case .noArticle: "No article was found on this page. \(Self.sendFromBrowser)"
        case .overBudget where hasText: "This page is too large or too complex. Only its plain text was stored."
        case .overBudget:
            "This page is too large or too complex, and nothing of it was stored. Open the original instead."
        case .unreadFile:
            "This file is too large or too complex to be read: it is kept, but its text cannot be shown or searched. "
                + "Open the original instead."
        case .behind(let interstitial):
            "\(Self.reason(interstitial, hasText: hasText)) \(Self.advice(for: interstitial))"
        }
    }

    /// The sentence where the link has an article already, which stays.
    var sentenceBesideArticle: String {
        switch self {
        case .notHTML: "This link is not a web page any more. The stored article was kept."
        case .noArticle: "No article was found when this page was read again. The stored article was kept."
        case .overBudget: "This page is too large or too complex to be read again. The stored article was kept."
        case .unreadFile: "This file is too large or too complex to be read again. The stored article was kept."
        case .behind(let interstitial): "\(Self.reason(interstitial, hasText: false)) The stored article was kept."
        }
    }

    private static func reason(_ interstitial: Interstitial, hasText: Bool) -> String {
        switch interstitial {
        case .index: "This page is a list of links and not an article."
        case .consentWall: "The site asks for consent to cookies or terms before it shows the page."
        case .loginWall: "The site shows this page only to signed-in visitors."
        case .subscriptionWall where hasText:
            "The site shows the full article only to subscribers. Only its beginning was stored."
        case .subscriptionWall: "The site shows this article only to subscribers."
        case .botChallenge: "The site asks visitors to prove that they are human, and did not show the page."
        case .errorPage: "The site reports that this page does not exist, or that it has an error."
        case .needsScripts: "This page is built by scripts in the browser, and has no text without them."
        case .empty: "This page has no text."
        case .lockedFile: "This file is protected by a password."
        case .damagedFile: "This file is damaged, or not of the type it claims to be."
        case .picturesOfText: "This file contains only images of pages and no text."
        case .beginningOnly: "This file is too long. Only its beginning was stored."
        }
    }

    private static func advice(for interstitial: Interstitial) -> String {
        switch interstitial {
        case .lockedFile, .damagedFile, .picturesOfText, .beginningOnly: "Open the original instead."
        case .index: "Open the original instead, and save the articles you want from it."
        case .errorPage: "Open the original to see whether it has moved, or try again later."
        case .consentWall, .loginWall, .subscriptionWall, .botChallenge, .needsScripts, .empty: sendFromBrowser
        }
    }

    /// Helps wherever a browser receives more than the server did.
    private static let sendFromBrowser = "Open the page in your browser and send it from there."
}
