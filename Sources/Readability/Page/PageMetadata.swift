import Glibc
import HTML

/// A page's metadata, present with or without an article. Texts are single lines as a browser shows them; URLs are
/// absolute and http or https; missing or empty values are nil.
public struct PageMetadata: Equatable, Sendable {
    public var title: String?
    public var description: String?
    public var siteName: String?
    /// The image for previews.
    public var image: String?
    public var byline: String?
    /// As written.
    public var publishedTime: String?
    /// ISO 8601, if `publishedTime` is a point in time.
    public var publishedAt: String?
    /// BCP 47, as declared.
    public var lang: String?
    /// `link rel=canonical`.
    public var canonical: String?
    /// `og:url`, which some pages have instead of `link rel=canonical`.
    public var openGraphURL: String?
    /// The site's icon.
    public var icon: String?
    public var kind = PageKind.other
    public var enclosure: Enclosure?

    /// Creates empty metadata.
    public init() {}

    /// - Parameter url: the page's URL. Relative URLs are resolved against its `base` element, else against this.
    public init(_ document: Document, url: String, now: Int = time(nil)) {
        self.init(PageFacts(document, url: url, now: now))
    }

    /// - Parameter article: the page's article, which determines the kind and the language of the page.
    init(_ facts: PageFacts, article: Article? = nil) {
        title = facts.title
        description = facts.description
        siteName = facts.siteName
        byline = facts.byline
        publishedTime = facts.publishedTime
        publishedAt = facts.publishedAt
        lang = article?.lang ?? facts.declaredLanguage
        image = article?.facts?.image ?? PreviewPicture.choose(facts.pictures, logo: facts.logo)
        icon = facts.icon
        canonical = facts.canonical
        openGraphURL = facts.openGraphURL
        kind = article?.facts?.kind ?? PageKind(facts, words: nil)
        enclosure = facts.enclosure
    }
}
