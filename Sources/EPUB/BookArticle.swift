import HTML
import Languages

/// An article of a book, as it was read.
public struct BookArticle: Sendable {
    public var title: String
    public var byline: String?
    public var siteName: String?
    /// The URL of its page.
    public var url: String
    public var language: String?
    /// `ltr`, `rtl` or `auto`, as the page has it.
    public var direction: String?
    public var description: String?
    /// When it was published, as `2026-01-31T12:00:00Z`.
    public var published: String?
    public var tags: [String] = []
    /// Sanitised HTML.
    public var content: String
    /// The index of each picture in the pictures of the book, by its URL in the content.
    public var pictures: [String: Int] = [:]

    /// What the user has marked and written; empty in a book without highlights.
    public var highlights: [BookHighlight] = []
    public var note: String?

    public init(title: String, url: String, content: String) {
        self.title = title
        self.url = url
        self.content = content
    }

    /// The text in which the places of highlights are counted.
    public static func text(of content: String) -> String {
        guard let document = try? Document(parsing: content) else { return "" }
        return document.textContent(document.body ?? document.root)
    }

    /// The URLs of the pictures that the content shows, each once, in their order.
    public var pictureSources: [String] {
        guard let document = try? Document(parsing: content) else { return [] }
        var seen: Set<String> = []
        return document.elements([.img, .video], below: document.root).compactMap { node in
            document.attribute(node, document.tag(node) == .img ? .src : .poster)
        }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The article without what the user has marked and written.
    public var withoutHighlights: BookArticle {
        var article = self
        article.highlights = []
        article.note = nil
        return article
    }

    /// What the metadata of a book need.
    var withoutContent: BookArticle {
        var article = withoutHighlights
        article.content = ""
        article.pictures = [:]
        // Titles have a limit of their own.
        article.title = shownTitle
        article.byline = byline.map { XMLText.line($0, limit: Self.maxLine) }
        article.siteName = siteName.map { XMLText.line($0, limit: Self.maxLine) }
        article.description = description.map { XMLText.line($0, limit: Self.maxLine) }
        return article
    }

    /// Characters of the longest line of metadata.
    static let maxLine = 2_000

    var languageTag: String? { LanguageTag.cleaned(language) }

    /// Whether the text runs from right to left. `auto` leaves that to the text: it runs as its language is written.
    var isRightToLeft: Bool {
        switch direction?.lowercased() {
        case "rtl": true
        case "auto": languageTag.map(Languages.direction) == "rtl"
        default: false
        }
    }

    /// The title, or the address where there is none.
    var shownTitle: String {
        let line = XMLText.line(title, limit: Self.maxTitle)
        return line.isEmpty ? XMLText.line(url, limit: Self.maxTitle) : line
    }

    /// Characters of the longest title. Readers show some dozen.
    static let maxTitle = 500
}
