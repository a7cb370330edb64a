import HTML

/// A text that the page itself marks as its article. It is compared with the result of the search, which may have found
/// a different text. A claim only identifies the part of the page; the content always comes from the page.
struct MarkedArticle {
    private enum Source {
        /// `articleBody` in JSON-LD. May be HTML.
        case text(String)
        case elements([NodeID])
    }

    private let source: Source
    /// The claim is satisfied if the found text contains at least this share of the claimed text.
    private let minShare: Double
    /// The minimum length of the claimed text, as a share of the found text's length. Pages mark standfirsts, teasers
    /// and comments, too.
    private let minLength: Double

    /// JSON-LD contains only the words. A marked element may also contain captions and boxes, and an `article` its
    /// comments.
    private static let minShareOfText = 0.5, minShareOfBody = 0.3, minShareOfArticle = 0.1
    /// A text with fewer samples is too short to be distinguished from another. About 250 letters have this many.
    private static let minSamples = 30
    /// The article's element contains at least this share of the claimed samples that the page contains.
    private static let minShareInElement = 0.8
    /// A page with a smaller share of the claimed text does not show its article.
    private static let minShownShare = 0.6
    /// Claimed text beyond this many bytes is ignored.
    private static let maxTextBytes = 200_000

    /// Returns the page's claims, the most reliable first.
    static func all(of facts: PageFacts, in page: Document) -> [MarkedArticle] {
        var claims: [MarkedArticle] = []
        if let text = facts.articleBody {
            claims.append(MarkedArticle(source: .text(text), minShare: minShareOfText, minLength: 0.5))
        }
        let bodies = facts.articleBodies.filter { !isForeign($0, in: page) }
        if !bodies.isEmpty {
            claims.append(
                MarkedArticle(
                    source: .elements(outermost(bodies, in: page)), minShare: minShareOfBody, minLength: 0.5))
        }
        if facts.articles.count == 1, !isForeign(facts.articles[0], in: page) {
            claims.append(
                MarkedArticle(source: .elements(facts.articles), minShare: minShareOfArticle, minLength: 1))
        }
        return claims
    }

    /// Returns whether the class, id or role of an element or of one of its four nearest ancestors marks a comment,
    /// teaser, advertisement or the like.
    private static func isForeign(_ element: NodeID, in page: Document) -> Bool {
        ([element] + page.ancestors(element, limit: 4)).contains { node in
            page.tag(node) != .body
                && !BlockHints.of(node, in: page).isDisjoint(with: BlockHints.foreign.union(.author))
        }
    }

    /// Returns the elements that are not inside another of them. `elements` must be in document order; so is the
    /// result.
    private static func outermost(_ elements: [NodeID], in page: Document) -> [NodeID] {
        var outer: [NodeID] = []
        for element in elements where !(outer.last.map { page.isInside(element, $0) } ?? false) {
            outer.append(element)
        }
        return outer
    }

    /// Returns whether the found content lies inside a marked element or contains one; then the texts need no
    /// comparison. Returns false for a page that was parsed again, because its nodes differ.
    func isSatisfied(by found: ArticleSearch.Found?) -> Bool {
        guard let found, case .elements(let elements) = source else { return false }
        return found.path.isEmpty
            || elements.contains { found.path.contains($0) || found.document.isInside($0, found.content) }
    }

    /// Returns the claimed text, or nil if it is too short to replace the found one.
    func text(in page: Document, insteadOf found: Shingles) -> Shingles? {
        var text = Shingles()
        switch source {
        case .text(let body): text = Shingles(of: Self.plain(body))
        case .elements(let elements): for element in elements { text.add(element, in: page, limit: Self.maxTextBytes) }
        }
        return text.count >= Self.minSamples
            && Double(text.length) >= Double(min(found.length, Self.maxTextBytes)) * minLength ? text : nil
    }

    private static func plain(_ body: String) -> String {
        let body =
            body.utf8.count > maxTextBytes ? String(decoding: body.utf8.prefix(maxTextBytes), as: UTF8.self) : body
        guard body.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return body }
        return (try? Document(parsing: body)).map { $0.textContent($0.root) } ?? body
    }

    /// Returns whether the found text contains enough of the claimed one.
    func isSatisfied(by found: Shingles, _ text: Shingles) -> Bool { text.share(in: found) >= minShare }

    /// Returns whether `one` contains more of the claimed text than `other`, and enough of it.
    static func prefers(_ one: Shingles, to other: Shingles, _ text: Shingles) -> Bool {
        text.share(in: one) > max(text.share(in: other), minShownShare)
    }

    /// Returns the innermost element that contains nearly all of the claimed text that the page contains, or nil if the
    /// page contains too little of it.
    static func element(with text: Shingles, in document: Document) -> NodeID? {
        guard let body = document.body else { return nil }
        var reader = Shingles.Reader()
        var known = Shingles()
        // By row: the number of samples inside an element.
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
        guard Double(known.count) >= Double(text.count) * minShownShare else { return nil }
        var smallest: NodeID?
        var current = body
        while let child = document.childElements(current).first(where: {
            Double(inside[$0.row]) >= Double(known.count) * minShareInElement
        }) {
            if containers.contains(document.tag(child)) { smallest = child }
            current = child
        }
        return smallest
    }

    /// Elements that can be an article or hold its paragraphs, including elements with unknown names.
    private static let containers: TagSet = [
        .div, .section, .article, .main, .header, .details, .dialog, .table, .tbody, .tr, .td, .center, .form,
        .fieldset, .aside, .ul, .ol, .li, .dl,
        .dd, .blockquote, .figure, .other,
    ]
}

extension Shingles {
    /// Samples all text at and below a node.
    init(of node: NodeID, in document: Document) {
        self.init()
        add(node, in: document, limit: .max)
    }

    /// - Parameter limit: the number of bytes read.
    fileprivate mutating func add(_ node: NodeID, in document: Document, limit: Int) {
        var left = limit
        add { take in
            document.forEachText(in: node) { bytes in
                if left > 0 { take(bytes) }
                left -= bytes.count
            }
        }
    }
}
