import HTML
import Links

/// The metadata that Mozilla Readability reads from JSON-LD, meta elements and the title. Used in mode `compat`; users
/// get ``PageFacts``.
struct Metadata: Equatable, Sendable {
    var title: String
    var byline: String?
    var excerpt: String?
    var siteName: String?
    var publishedTime: String?

    init(_ document: Document, linked: LinkedData) {
        let values = MetaValues(document)
        // Readability decodes character references again after the parser did.
        func text(_ linked: String?, else written: () -> String?) -> String? {
            (linked.nonEmpty ?? written()).map(EscapedText.decode)
        }
        let title = text(linked.title) {
            values.first(
                "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title", "title",
                "twitter:title", "parsely-title")
                ?? PageTitle.of(document)
        }
        self.title = title ?? ""
        byline = text(linked.byline) {
            values.first("dc:creator", "dcterm:creator", "author", "parsely-author")
                ?? values.first("article:author").flatMap { WebAddress($0) == nil ? $0 : nil }
        }
        excerpt = text(linked.excerpt) {
            values.first(
                "dc:description", "dcterm:description", "og:description", "weibo:article:description",
                "weibo:webpage:description", "description", "twitter:description")
        }
        siteName = text(linked.siteName) { values.first("og:site_name") }
        publishedTime = text(linked.datePublished) { values.first("article:published_time", "parsely-pub-date") }
    }
}
