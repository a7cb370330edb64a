import HTML
import Links

/// The last changes to a found article: makes URLs absolute, removes needless nesting and classes.
struct Polish {
    /// The page's own URL; nil if it is invalid.
    let pageAddress: WebAddress?
    let baseAddress: WebAddress?
    let keptClasses: Set<String>
    let mode: ExtractionMode
    /// The number of bytes by which URLs may still grow.
    private var remainingGrowth: Int

    /// A longer base, in bytes, is ignored: servers do not accept longer URLs.
    private static let maxBaseBytes = 8_192

    /// - Parameters:
    ///   - base: the `href` of the page's `base` element.
    ///   - sourceBytes: the size of the page. A long base and many links could make the article a hundred times as
    ///     large.
    init(base: String?, url: String, keptClasses: [String], mode: ExtractionMode, sourceBytes: Int) {
        pageAddress = WebAddress(url)
        let base = base.flatMap { $0.utf8.count <= Polish.maxBaseBytes ? $0 : nil }
        baseAddress = base.flatMap { [pageAddress] in WebAddress($0, relativeTo: pageAddress) } ?? pageAddress
        remainingGrowth = 1_000_000 + 2 * sourceBytes
        // The class of the `div` that the search puts around the article.
        self.keptClasses = Set(keptClasses).union(["page"])
        self.mode = mode
    }

    /// Returns the URL that the page's relative URLs are resolved against: that of its `base` element, else its own.
    static func base(of document: Document, page: WebAddress?) -> WebAddress? {
        writtenBase(of: document).flatMap { WebAddress($0, relativeTo: page) } ?? page
    }

    /// Returns the `href` of the page's first `base` element that has one.
    static func writtenBase(of document: Document) -> String? {
        document.elements([.base], below: document.root).lazy.compactMap { document.attribute($0, .href) }.first
    }

    mutating func polish(_ content: NodeID, in document: inout Document) {
        completeLinks(below: content, in: &document)
        completeMedia(below: content, in: &document)
        if mode == .best { keepLanguages(below: content, in: &document) }
        flatten(content, in: &document)
        removeClasses(from: content, in: &document)
    }

    /// Returns the absolute form of a URL. Returns it unchanged if it is invalid, if the growth limit is reached, or if
    /// it is a link within the page.
    mutating func absolute(_ address: String) -> String {
        if address.utf8.first == UInt8(ascii: "#") && baseAddress == pageAddress { return address }
        guard let absolute = WebAddress(address, relativeTo: baseAddress)?.text else { return address }
        let more = absolute.utf8.count - address.utf8.count
        guard more <= remainingGrowth else { return address }
        remainingGrowth -= max(more, 0)
        return absolute
    }

    // MARK: Addresses

    private mutating func completeLinks(below content: NodeID, in document: inout Document) {
        for link in document.elements([.a], below: content) {
            guard let address = document.attribute(link, .href).nonEmpty else { continue }
            if address.utf8.starts(with: "javascript:".utf8) {
                replaceWithText(link, in: &document)
            } else {
                document.set(link, .href, to: absolute(address))
            }
        }
    }

    /// Replaces a `javascript:` link, which leads nowhere now, with its text.
    private func replaceWithText(_ link: NodeID, in document: inout Document) {
        if let only = document.firstChild(link), document.nextSibling(only) == nil, document.isText(only) {
            document.replace(link, with: only)
            return
        }
        let span = document.makeElement(.span)
        document.moveChildren(of: link, to: span)
        document.replace(link, with: span)
    }

    private mutating func completeMedia(below content: NodeID, in document: inout Document) {
        for media in document.elements(Vocabulary.media, below: content) {
            for name in [AttributeName.src, .poster] {
                if let address = document.attribute(media, name).nonEmpty {
                    document.set(media, name, to: absolute(address))
                }
            }
            if let set = document.attribute(media, .srcset).nonEmpty {
                document.set(media, .srcset, to: SourceSet.mapAddresses(in: set) { absolute($0) })
            }
        }
    }

    // MARK: Nesting and classes

    /// Removes a `div` or `section` without content. One that contains only another is replaced by it, and its
    /// attributes are copied.
    private func flatten(_ content: NodeID, in document: inout Document) {
        var current: NodeID? = content
        while let node = current {
            guard document.parent(node) != nil, document.tag(node) == .div || document.tag(node) == .section,
                !(document.attribute(node, .id) ?? "").hasPrefix("readability")
            else {
                current = document.nextElementInOrder(after: node)
                continue
            }
            if document.isWithoutContent(node) {
                current = document.removeAndContinue(node)
            } else if document.holdsOnly(.div, node) || document.holdsOnly(.section, node),
                let child = document.firstChildElement(node)
            {
                for attribute in document.allAttributes(node) {
                    document.set(child, named: attribute.name, to: attribute.value)
                }
                document.replace(node, with: child)
                current = child
            } else {
                current = document.nextElementInOrder(after: node)
            }
        }
    }

    /// The language of code is derived from classes, which are removed later.
    private func keepLanguages(below content: NodeID, in document: inout Document) {
        for code in document.elements([.pre], below: content) {
            guard let language = CodeLanguage.of(code, in: document) else { continue }
            document.set(code, named: CodeLanguage.attribute, to: language)
        }
    }

    private func removeClasses(from content: NodeID, in document: inout Document) {
        for node in document.elements(below: content, where: { document.has($0, .class) }) {
            let written = document.attribute(node, .class) ?? ""
            let kept = written.split(whereSeparator: \.isWhitespace).map(String.init).filter(keptClasses.contains)
            if kept.isEmpty {
                document.remove(node, .class)
            } else {
                document.set(node, .class, to: kept.joined(separator: " "))
            }
        }
    }
}
