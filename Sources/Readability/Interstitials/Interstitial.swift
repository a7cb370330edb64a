/// The reason a page or file yields no article, or only a part of one: the page shows something else in the article's
/// place, or the file cannot be read in full.
public enum Interstitial: String, Sendable, CaseIterable {
    /// A list of links to articles: a front page, a section, an archive.
    case index
    /// The page asks for consent to cookies or terms before it shows anything.
    case consentWall = "consent_wall"
    /// The page asks the visitor to sign in and shows nothing else.
    case loginWall = "login_wall"
    /// The page shows the beginning of an article, and the rest only to subscribers.
    case subscriptionWall = "subscription_wall"
    /// The page demands proof that the visitor is human.
    case botChallenge = "bot_challenge"
    /// The page says that it does not exist, or that the site is out of order.
    case errorPage = "error_page"
    /// The page is built by scripts, which are not run.
    case needsScripts = "needs_scripts"
    /// The page has almost no text.
    case empty
    /// A file that needs a password.
    case lockedFile = "locked_file"
    /// A file that is damaged, or not of the type it claims.
    case damagedFile = "damaged_file"
    /// A file of scanned pages.
    case picturesOfText = "pictures_of_text"
    /// A file that is too long to keep in full; its beginning is kept.
    case beginningOnly = "beginning_only"

    /// The error code for clients, a stable part of the interface. Several cases share `no_article`.
    public var code: String {
        switch self {
        case .consentWall: "consent_wall"
        case .loginWall, .subscriptionWall: "login_wall"
        case .botChallenge: "bot_challenge"
        case .beginningOnly: "over_budget"
        case .index, .errorPage, .needsScripts, .empty, .lockedFile, .damagedFile, .picturesOfText: "no_article"
        }
    }

    /// Whether the page replaces the saved page, so that its title, picture and URLs do not describe the saved page.
    public var replacesSavedPage: Bool {
        switch self {
        case .consentWall, .loginWall, .botChallenge, .errorPage: true
        case .index, .subscriptionWall, .needsScripts, .empty, .lockedFile, .damagedFile, .picturesOfText,
            .beginningOnly:
            false
        }
    }
}
