import HTML
import Links

/// What a link shows: the addresses of the pictures in its article, of its preview, and of its site's sign.
struct ShownPictures: Equatable, Sendable {
    struct Picture: Hashable, Sendable {
        var kind: String
        var source: String
    }

    private(set) var pictures: [Picture] = []
    private var known: Set<Picture> = []

    /// Addresses of one link that are looked at.
    private static let most = 1_000
    /// Bytes of the longest address.
    private static let longest = 8_192

    /// Nothing.
    init() {}

    /// - Parameters:
    ///   - page: where the article comes from.
    ///   - content: its HTML; nil when there is none.
    ///   - preview: address of the link's picture in a list.
    ///   - icon: address the page gives its site's sign; nil: /favicon.ico.
    init(page: String, content: String?, preview: String?, icon: String?) {
        if let preview { add("preview", preview, page) }
        if let sign = icon ?? AbsoluteURL.resolve("/favicon.ico", against: page) { add("icon", sign, page) }
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

    /// As it is written, so that who reads the article finds its own picture by it; unless it is none of the web.
    private mutating func add(_ kind: String, _ source: String, _ page: String) {
        guard !source.isEmpty, source.utf8.count <= Self.longest, pictures.count < Self.most, !source.utf8.contains(0),
            let address = AbsoluteURL.resolve(source, against: page), address.hasPrefix("http://") || address.hasPrefix("https://")
        else { return }
        let picture = Picture(kind: kind, source: kind == "article" ? source : address)
        if known.insert(picture).inserted { pictures.append(picture) }
    }
}
