/// What stands in an article's place on a page, or in front of its rest.
public enum Interstitial: String, Sendable, CaseIterable {
    /// A list of links to articles: a front page, a section, an archive.
    case index
    /// Asks for consent to cookies or terms before it shows anything.
    case consentWall = "consent_wall"
    /// Asks who wants to read it, and shows nothing.
    case loginWall = "login_wall"
    /// Shows the beginning, and the rest to subscribers.
    case subscriptionWall = "subscription_wall"
    /// Wants a proof that a person asks.
    case botChallenge = "bot_challenge"
    /// Says that the page is not there, or that the site is out of order.
    case errorPage = "error_page"
    /// Is made by scripts, which are not run.
    case needsScripts = "needs_scripts"
    /// Has hardly a word.
    case empty
    /// A file that opens with a password.
    case lockedFile = "locked_file"
    /// A file that is not what it says, or broken.
    case damagedFile = "damaged_file"
    /// A file of scanned pages.
    case picturesOfText = "pictures_of_text"
    /// A file that is too long to be kept whole: its beginning is.
    case beginningOnly = "beginning_only"

    /// The class programs go by, a stable name of the interface; several kinds share `no_article`.
    public var code: String {
        switch self {
        case .consentWall: "consent_wall"
        case .loginWall, .subscriptionWall: "login_wall"
        case .botChallenge: "bot_challenge"
        case .beginningOnly: "over_budget"
        case .index, .errorPage, .needsScripts, .empty, .lockedFile, .damagedFile, .picturesOfText: "no_article"
        }
    }

    /// Whether the page is another than the one that was saved: its title, picture and address are not that one's.
    public var standsForAnother: Bool {
        switch self {
        case .consentWall, .loginWall, .botChallenge, .errorPage: true
        case .index, .subscriptionWall, .needsScripts, .empty, .lockedFile, .damagedFile, .picturesOfText, .beginningOnly: false
        }
    }
}
