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
    /// Language of the document element, as written.
    public var lang: String?
    /// `link rel=canonical`.
    public var canonical: String?
    /// `og:url`, which some pages have instead.
    public var openGraphURL: String?

    /// A page that says nothing.
    public init() {}

    /// - Parameter url: where the page was found; relative addresses go by its `base`, then by this.
    public init(_ document: Document, url: String) {
        let linked = LinkedData.of(document)
        let metadata = Metadata(document, linked: linked)
        let addresses = PageAddresses(document, url: url)
        title = OneLine.of(metadata.title)
        description = OneLine.of(metadata.excerpt)
        siteName = OneLine.of(metadata.siteName)
        byline = OneLine.of(metadata.byline)
        publishedTime = OneLine.of(metadata.publishedTime)
        lang = document.html.flatMap { document.attribute($0, .lang) }.nonEmpty
        image =
            addresses.ofMeta("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
            ?? addresses.ofLink("image_src")
        canonical = addresses.ofLink("canonical")
        openGraphURL = addresses.ofMeta("og:url")
    }
}

/// Texts for lists and headings.
enum OneLine {
    /// The text with every run of white space made one space; nil when nothing is left.
    static func of(_ text: String?) -> String? {
        (text?.split(whereSeparator: \.isWhitespace).joined(separator: " ")).nonEmpty
    }

    /// - Parameter most: characters; what is beyond them is cut off, and not looked at.
    static func of(_ text: String?, most: Int) -> String? {
        // Each word is a character at least, so what is left unsplit behind so many is beyond them.
        let words = text?.split(maxSplits: most, whereSeparator: \.isWhitespace).prefix(most)
        return words.map { String($0.joined(separator: " ").prefix(most)) }.nonEmpty
    }
}

/// Addresses in a page's head, made absolute.
private struct PageAddresses {
    private let document: Document
    private let base: WebAddress?

    init(_ document: Document, url: String) {
        self.document = document
        base = Polish.base(of: document, page: WebAddress(url))
    }

    /// The first usable address of the first of these names that has one.
    func ofMeta(_ names: String...) -> String? {
        let metas = document.elements([.meta], below: document.root)
        for name in names {
            for meta in metas where isNamed(name, meta) {
                if let address = absolute(document.attribute(meta, .content)) { return address }
            }
        }
        return nil
    }

    func ofLink(_ relation: String) -> String? {
        document.elements([.link], below: document.root).lazy
            .filter {
                (document.attribute($0, .rel) ?? "").lowercased().split(whereSeparator: \.isWhitespace).contains(
                    relation[...])
            }
            .compactMap { absolute(document.attribute($0, .href)) }.first
    }

    private func isNamed(_ name: String, _ meta: NodeID) -> Bool {
        [AttributeName.property, .name].contains {
            WhiteSpace.trim(document.attribute(meta, $0) ?? "").lowercased() == name
        }
    }

    private func absolute(_ written: String?) -> String? {
        guard let written = written.map(WhiteSpace.trim).nonEmpty,
            let address = WebAddress(EscapedText.decode(written), relativeTo: base), address.isHTTP
        else { return nil }
        return address.text
    }
}
