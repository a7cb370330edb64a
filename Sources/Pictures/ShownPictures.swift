import HTML
import Links

/// The pictures that a link shows: those in its article, its preview, and its site's icon.
struct ShownPictures: Equatable, Sendable {
    struct Picture: Hashable, Sendable {
        var kind: String
        var source: String
    }

    private(set) var pictures: [Picture] = []
    private var known: Set<Picture> = []

    /// Largest number of pictures of one link.
    private static let maxPictures = 1_000
    /// Bytes of the longest URL.
    private static let maxURLBytes = 8_192

    /// No pictures.
    init() {}

    /// - Parameters:
    ///   - page: the URL of the article's page.
    ///   - content: the article's HTML; nil when there is no article.
    ///   - preview: the URL of the link's picture in a list.
    ///   - icon: the URL of the site's icon as the page names it; nil: /favicon.ico.
    init(page: String, content: String?, preview: String?, icon: String?) {
        if let preview { add("preview", preview, page) }
        if let icon = icon ?? AbsoluteURL.resolve("/favicon.ico", against: page) { add("icon", icon, page) }
        if let content { addImages(of: content, page) }
    }

    static func == (left: ShownPictures, right: ShownPictures) -> Bool { left.pictures == right.pictures }

    private mutating func addImages(of content: String, _ page: String) {
        guard let document = try? Document(parsing: content) else { return }
        for node in document.elements([.img, .video], below: document.root) {
            let name = document.tag(node) == .img ? "src" : "poster"
            if let source = document.attribute(node, named: name) { add("article", source, page) }
        }
    }

    /// Adds a picture whose URL is http or https. The URL of an article's picture stays as written, so that a reader of
    /// the article finds the stored picture by it.
    private mutating func add(_ kind: String, _ source: String, _ page: String) {
        guard !source.isEmpty, source.utf8.count <= Self.maxURLBytes, !source.utf8.contains(0),
            pictures.count < Self.maxPictures,
            let address = AbsoluteURL.resolve(source, against: page),
            address.hasPrefix("http://") || address.hasPrefix("https://")
        else { return }
        let picture = Picture(kind: kind, source: kind == "article" ? source : address)
        if known.insert(picture).inserted { pictures.append(picture) }
    }
}
