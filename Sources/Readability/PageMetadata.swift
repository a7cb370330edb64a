import Glibc
import HTML

/// What a page says about itself; there whether or not it has an article. Texts are as a browser shows them, in one
/// line; addresses are absolute http(s) ones; what is missing or empty is nil.
public struct PageMetadata: Equatable, Sendable {
    public var title: String?
    public var description: String?
    public var siteName: String?
    /// The picture that previews show.
    public var image: String?
    public var byline: String?
    /// As written.
    public var publishedTime: String?
    /// ISO 8601, where that names a point in time.
    public var publishedAt: String?
    /// BCP 47, as declared.
    public var lang: String?
    /// `link rel=canonical`.
    public var canonical: String?
    /// `og:url`, which some pages have instead.
    public var openGraphURL: String?
    /// Of the site.
    public var icon: String?
    public var kind = PageKind.other
    public var enclosure: Enclosure?

    /// A page that says nothing.
    public init() {}

    /// - Parameter url: where the page was found; relative addresses go by its `base`, then by this.
    public init(_ document: Document, url: String, now: Int = time(nil)) {
        self.init(PageFacts(document, url: url, now: now))
    }

    /// - Parameter article: of the page; it tells what the page is, and what language it is in.
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

/// Texts for lists and headings.
public enum OneLine {
    /// The text with every run of white space made one space; nil when nothing is left.
    static func of(_ text: String?) -> String? { of(text, most: .max) }

    /// - Parameter most: Unicode scalars, as PostgreSQL counts them: a single character may have a million. What is beyond them
    ///   is cut off, and not looked at.
    public static func of(_ text: String?, most: Int) -> String? {
        guard let text else { return nil }
        var line: [UInt8] = []
        line.reserveCapacity(min(text.utf8.count, 256))
        var room = most
        var isBehindSpace = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) {
                isBehindSpace = !line.isEmpty
                continue
            }
            guard room > (isBehindSpace ? 1 : 0) else { break }
            if isBehindSpace {
                line.append(0x20)
                room -= 1
            }
            if scalar.isASCII { line.append(UInt8(scalar.value)) } else { line.append(contentsOf: scalar.utf8) }
            room -= 1
            isBehindSpace = false
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t"..."\r", " ": true
        case "\0"..."\u{7F}": false
        default: scalar.properties.isWhitespace
        }
    }
}
