import HTML

/// The elements in which a page states facts about itself, collected in one walk.
struct FactElements {
    var metas = MetaTable()
    var title: String?
    /// The `h1` elements in document order.
    var headings: [NodeID] = []
    /// The `h2` elements in document order. If a site's `h1` is its own name, the headline is an `h2`.
    var secondHeadings: [NodeID] = []
    /// The JSON-LD scripts.
    var scripts: [NodeID] = []
    var links: [NodeID] = []
    /// The `time` elements and author links outside menus and sidebars.
    var times: [NodeID] = []
    var authors: [NodeID] = []
    /// Elements with an `itemprop`, except `meta` elements, which are in ``metas``.
    var properties: [NodeID] = []
    /// The `article` elements outside menus and sidebars.
    var articles: [NodeID] = []
    /// The `audio`, `video` and `source` elements.
    var media: [NodeID] = []

    /// The first elements of a kind describe the page; more add nothing.
    private static let maxPerKind = 64
    private static let asides: TagSet = [.nav, .aside, .footer, .form, .template]
    /// In bytes. A longer `title` is cut.
    private static let maxTitleBytes = 2_000

    init(_ document: Document) {
        // The first node after the sidebar that the walk is in.
        var asideEnd: NodeID?
        var isAside = false
        var current = document.firstChild(document.root)
        while let node = current {
            if node == asideEnd { isAside = false }
            if document.isElement(node) {
                let tag = document.tag(node)
                if !isAside, Self.asides.contains(tag), !isArticleFooter(node, tag, document) {
                    asideEnd = document.next(skipping: node, within: document.root)
                    isAside = true
                }
                record(node, tag, isAside: isAside, document)
            }
            current = document.next(after: node, within: document.root)
        }
    }

    /// An article's footer also holds names and dates.
    private func isArticleFooter(_ node: NodeID, _ tag: Tag, _ document: Document) -> Bool {
        tag == .footer && document.parent(node).map(document.tag) == .article
    }

    private mutating func record(_ node: NodeID, _ tag: Tag, isAside: Bool, _ document: Document) {
        switch tag {
        case .meta: metas.add(node, in: document)
        case .link: add(node, to: \.links)
        case .title where title == nil: title = document.shortTitle(node, maxBytes: Self.maxTitleBytes)
        case .script:
            if document.attribute(node, .type, is: "application/ld+json") { add(node, to: \.scripts) }
        case .h1: add(node, to: \.headings)
        case .h2 where !isAside && secondHeadings.count < 6: secondHeadings.append(node)
        case .audio, .video, .source: add(node, to: \.media)
        case .article where !isAside: add(node, to: \.articles)
        case .time where !isAside: add(node, to: \.times)
        case .a where !isAside && document.hasWord("author", node, .rel): add(node, to: \.authors)
        default: break
        }
        if tag != .meta, !isAside, document.has(node, .itemprop) { add(node, to: \.properties) }
    }

    private mutating func add(_ node: NodeID, to list: WritableKeyPath<FactElements, [NodeID]>) {
        if self[keyPath: list].count < Self.maxPerKind { self[keyPath: list].append(node) }
    }

    /// Returns the elements with a schema.org property, in document order.
    func properties(_ name: StaticString, in document: Document) -> [NodeID] {
        properties.filter { document.hasWord(name, $0, .itemprop) }
    }
}

extension Document {
    /// Whether one of the words in an attribute equals `word`, ignoring case. `word` must be lower case.
    func hasWord(_ word: StaticString, _ node: NodeID, _ name: AttributeName) -> Bool {
        withBytes(node, name) { bytes in
            word.withUTF8Buffer { word in
                var start = 0
                while start < bytes.count {
                    var end = start
                    while end < bytes.count, !WhiteSpace.isASCII(bytes[end]) { end += 1 }
                    if end - start == word.count,
                        (0..<word.count).allSatisfy({ lowercased(bytes[start + $0]) == word[$0] })
                    {
                        return true
                    }
                    start = end + 1
                }
                return false
            }
        }
    }

    /// Returns the first `maxBytes` of a `title` element's text, as one line.
    fileprivate func shortTitle(_ node: NodeID, maxBytes: Int) -> String? {
        guard let text = firstChild(node) else { return nil }
        return withText(text) { bytes in OneLine.of(String(decoding: bytes.prefix(maxBytes), as: UTF8.self)) }
    }
}
