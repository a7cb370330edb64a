import Text

/// A link as a Markdown file: front matter, the article, and its highlights.
///
/// The highlights stand below the last heading "Highlights", each as a quotation with its note below it. The front
/// matter counts them, so that a reader can tell them from a section of the article with this heading.
public struct MarkdownFile {
    private let link: ExportedLink
    private let article: String?

    /// - Parameter article: the article as Markdown; nil where there is none.
    public init(_ link: ExportedLink, article: String? = nil) {
        self.link = link
        self.article = article
    }

    /// The name of the file: the day on which the link was saved, words of its title, and the start of its id.
    public var name: String {
        let day = link.text("created_at")?.prefix(10) ?? "0000-00-00"
        return "\(day)-\(Self.slug(link.title))-\(link.text("id")?.prefix(8) ?? "").md"
    }

    public var text: String {
        var text = frontMatter.yaml
        text += article ?? ""
        let highlights = link.highlights
        if !highlights.isEmpty { text += "\n## Highlights\n\n" + HighlightsMarkdown.text(highlights) }
        return text
    }

    /// The names that PullRead uses, and those of what only this server knows.
    private var frontMatter: FrontMatter {
        var front = FrontMatter()
        front.add("title", link.text("title"))
        front.add("url", link.url)
        front.add("bookmarked", link.text("created_at"))
        for name in ["domain", "site", "author", "published", "excerpt", "lang"] { front.add(name, link.text(name)) }
        front.add("categories", link.texts("tags"))
        front.add("tags", link.texts("tags"))
        front.add("collections", link.collections(escaping: "/"))
        for name in ["image", "enclosure_url", "enclosure_type"] { front.add(name, link.text(name)) }
        front.add("enclosure_duration", link.number("enclosure_duration"))
        front.add("list", link.text("list"))
        front.add("status", link.text("status"))
        front.add("starred", link.isStarred)
        front.add("note", link.text("note"))
        if !link.highlights.isEmpty { front.add("highlights", link.highlights.count) }
        return front
    }

    /// Bytes of the words; a file name has at most 255.
    private static let maxSlugBytes = 80

    /// The letters and digits of a title in lower case, joined by hyphens.
    static func slug(_ title: String) -> String {
        var slug = ""
        for word in title.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let longer = slug.isEmpty ? String(word) : "\(slug)-\(word)"
            guard longer.utf8.count <= maxSlugBytes else {
                if slug.isEmpty { slug = FileName.start(of: longer, maxBytes: maxSlugBytes) }
                break
            }
            slug = longer
        }
        return slug.isEmpty ? "untitled" : slug
    }
}
