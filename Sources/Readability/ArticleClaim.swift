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
    /// How long the claimed text is at least, beside what was found: pages mark standfirsts, teasers and comments, too.
    private let leastLength: Double

    /// JSON-LD has the words alone; what is marked may hold pictures' texts and boxes besides, and an `article` its comments.
    private static let leastOfText = 0.5, leastOfBody = 0.3, leastOfArticle = 0.1
    /// Samples of a text too short to tell it from another; some 250 letters have as many.
    private static let fewest = 30
    /// Of what the page has of the claimed text, an element must have so much to be the article.
    private static let wanted = 0.8
    /// A page that has less of it does not show its article.
    private static let leastShown = 0.6
    /// Bytes of a claimed text that are read.
    private static let longest = 200_000

    /// What the page says, the surest first.
    static func all(of facts: PageFacts, in page: Document) -> [ArticleClaim] {
        var claims: [ArticleClaim] = []
        if let text = facts.articleBody { claims.append(ArticleClaim(source: .text(text), least: leastOfText, leastLength: 0.5)) }
        let bodies = facts.articleBodies.filter { !isForeign($0, in: page) }
        if !bodies.isEmpty { claims.append(ArticleClaim(source: .elements(outermost(bodies, in: page)), least: leastOfBody, leastLength: 0.5)) }
        if facts.articles.count == 1, !isForeign(facts.articles[0], in: page) {
            claims.append(ArticleClaim(source: .elements(facts.articles), least: leastOfArticle, leastLength: 1))
        }
        return claims
    }

    /// Whether an element or one around it calls itself a comment, a teaser, an advertisement or the like.
    private static func isForeign(_ element: NodeID, in page: Document) -> Bool {
        ([element] + page.ancestors(element, limit: 4)).contains { node in
            page.tag(node) != .body && !BlockHints.of(node, in: page).isDisjoint(with: BlockHints.foreign.union(.author))
        }
    }

    /// Without those that lie in one of the others; in document order, as they are given.
    private static func outermost(_ elements: [NodeID], in page: Document) -> [NodeID] {
        var outer: [NodeID] = []
        for element in elements where !(outer.last.map { page.isInside(element, $0) } ?? false) { outer.append(element) }
        return outer
    }

    /// Whether what was found lies in an element that is marked, or has it inside: then nothing need be read. A page that was
    /// read anew is not asked for its elements.
    func isMet(by found: ArticleSearch.Found?) -> Bool {
        guard let found, case .elements(let elements) = source else { return false }
        return found.way.isEmpty || elements.contains { found.way.contains($0) || found.document.isInside($0, found.content) }
    }

    /// The claimed text; nil where it is too short to be the article instead of what was found.
    func text(in page: Document, insteadOf found: Shingles) -> Shingles? {
        var text = Shingles()
        switch source {
        case .text(let body): text = Shingles(of: Self.plain(body))
        case .elements(let elements): for element in elements { text.add(element, in: page, most: Self.longest) }
        }
        return text.count >= Self.fewest && Double(text.length) >= Double(min(found.length, Self.longest)) * leastLength ? text : nil
    }

    private static func plain(_ body: String) -> String {
        let body = body.utf8.count > longest ? String(decoding: body.utf8.prefix(longest), as: UTF8.self) : body
        guard body.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return body }
        return (try? Document(parsing: body)).map { $0.textContent($0.root) } ?? body
    }

    /// Whether a text is the claimed one.
    func isMet(by found: Shingles, _ text: Shingles) -> Bool { text.share(in: found) >= least }

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
        var smallest: NodeID?
        var current = body
        while let child = document.childElements(current).first(where: { Double(inside[$0.row]) >= Double(known.count) * wanted }) {
            if containers.contains(document.tag(child)) { smallest = child }
            current = child
        }
        return smallest
    }

    /// What can be an article, or hold its paragraphs; elements of other names too.
    private static let containers: TagSet = [
        .div, .section, .article, .main, .header, .details, .dialog, .table, .tbody, .tr, .td, .center, .form, .fieldset, .aside, .ul, .ol, .li, .dl,
        .dd, .blockquote, .figure, .other,
    ]
}

extension Shingles {
    /// Those of all text at and below a node.
    init(of node: NodeID, in document: Document) {
        self.init()
        add(node, in: document, most: .max)
    }

    /// - Parameter most: bytes of it that are read.
    fileprivate mutating func add(_ node: NodeID, in document: Document, most: Int) {
        var left = most
        add { take in
            document.forEachText(in: node) { bytes in
                if left > 0 { take(bytes) }
                left -= bytes.count
            }
        }
    }
}
