import HTML

/// A text that the page itself calls its article: a witness against a search that found another. It only tells which part of
/// the page is meant; what readers get is always taken from the page.
struct ArticleClaim {
    private enum Source {
        /// Of JSON-LD; may be HTML.
        case text(String)
        case elements([NodeID])
    }

    private let source: Source
    /// Share of the claimed text below which what was found is another.
    private let least: Double
    /// What is claimed may hold more than the article: a part of it is no other text.
    private let isAround: Bool

    /// Samples of a text too short to tell it from another; some 250 letters have as many.
    private static let fewest = 30
    /// Of what the page has of the claimed text, an element must have so much to be the article.
    private static let wanted = 0.8
    /// What has so much of its own text in what is claimed is a part of it.
    private static let part = 0.5
    /// A page that has less of it does not show its article.
    private static let leastShown = 0.6
    /// An article's JSON-LD is read so far, in bytes.
    private static let longest = 200_000

    /// What the page says, the surest first.
    static func all(of facts: PageFacts) -> [ArticleClaim] {
        var claims: [ArticleClaim] = []
        if let text = facts.articleBody { claims.append(ArticleClaim(source: .text(text), least: 0.5, isAround: false)) }
        // What is marked may hold pictures' texts and boxes besides, and the `article` its comments.
        if !facts.articleBodies.isEmpty { claims.append(ArticleClaim(source: .elements(facts.articleBodies), least: 0.3, isAround: false)) }
        if facts.articles.count == 1 { claims.append(ArticleClaim(source: .elements(facts.articles), least: 0.1, isAround: true)) }
        return claims
    }

    /// Whether what was found lies in an element that is marked, or has it inside: then nothing need be read.
    func isMet(by found: ArticleSearch.Found?) -> Bool {
        guard let found, case .elements(let elements) = source else { return false }
        return elements.contains { found.way.contains($0) || found.document.isInside($0, found.content) }
    }

    /// The claimed text; nil where it is too short.
    func text(in page: Document) -> Shingles? {
        var text = Shingles()
        switch source {
        case .text(let body): text = Shingles(of: Self.plain(body))
        case .elements(let elements): for element in elements { text.add(element, in: page) }
        }
        return text.count >= Self.fewest ? text : nil
    }

    private static func plain(_ body: String) -> String {
        let body = body.utf8.count > longest ? String(decoding: body.utf8.prefix(longest), as: UTF8.self) : body
        guard body.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return body }
        return (try? Document(parsing: body)).map { $0.textContent($0.root) } ?? body
    }

    /// Whether a text is the claimed one.
    func isMet(by found: Shingles, _ text: Shingles) -> Bool {
        text.share(in: found) >= least || isAround && found.share(in: text) >= Self.part
    }

    /// Whether of two texts the first is the claimed one.
    static func prefers(_ one: Shingles, to other: Shingles, _ text: Shingles) -> Bool {
        text.share(in: one) > max(text.share(in: other), leastShown)
    }

    /// The smallest part of the page with nearly all of the claimed text that the page has; nil where it has too little of it.
    static func element(with text: Shingles, in document: Document) -> NodeID? {
        guard let body = document.body else { return nil }
        var reader = Shingles.Reader()
        var known = Shingles()
        // By row: how many of the samples an element has inside.
        var inside = [Int32](repeating: 0, count: document.nodeCount)
        document.forEachNode(below: body) { node in
            var new: Int32 = 0
            document.withText(node) { bytes in
                reader.add(bytes) { fingerprint in
                    guard text.contains(fingerprint), known.insert(fingerprint) else { return }
                    new += 1
                }
            }
            guard new > 0 else { return }
            for ancestor in document.ancestors(node) { inside[ancestor.row] += new }
        }
        guard Double(known.count) >= Double(text.count) * leastShown else { return nil }
        var smallest = body
        while let child = document.childElements(smallest).first(where: {
            containers.contains(document.tag($0)) && Double(inside[$0.row]) >= Double(known.count) * wanted
        }) {
            smallest = child
        }
        return smallest == body ? nil : smallest
    }

    private static let containers: TagSet = [.div, .section, .article, .main, .table, .tbody, .tr, .td, .center, .form, .fieldset, .aside, .ul, .ol, .li, .dl, .dd, .blockquote, .figure]
}

extension Shingles {
    /// Those of all text at and below a node.
    init(of node: NodeID, in document: Document) {
        self.init()
        add(node, in: document)
    }

    fileprivate mutating func add(_ node: NodeID, in document: Document) {
        var reader = Reader()
        document.forEachText(in: node) { reader.add($0) { insert($0) } }
    }
}
