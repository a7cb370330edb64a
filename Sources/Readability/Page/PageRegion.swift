import HTML

/// The part of a page with most of its running text. The search looks for one element with many paragraphs, and so it
/// misses articles that are spread over several, and takes a table or a long comment for the article above it.
struct PageRegion {
    private let blocks: PageBlocks
    private let weights: RegionWeights
    /// By row: the value of the blocks before it.
    private var valueBefore: [Double] = [0]

    init(_ blocks: PageBlocks, weights: RegionWeights) {
        self.blocks = blocks
        self.weights = weights
        valueBefore.reserveCapacity(blocks.list.blocks.count + 1)
        for row in blocks.list.blocks.indices { valueBefore.append(valueBefore[row] + value(of: row)) }
    }

    /// A page has a region if it is worth at least this.
    fileprivate static let minValue = 4.0
    /// So many words of any kind are convincing, even if none of them are running text.
    fileprivate static let minTextWords = 100
    /// A part is as good as the box around it if it is worth this share of it.
    private static let minShareOfPart = 0.97

    func value(of row: Int) -> Double {
        let block = blocks.list.blocks[row]
        let words = Double(block.words)
        // Reviews stand between the parts of the text and are removed later.
        if blocks.isReview[row] { return 0 }
        if blocks.isForeign[row] { return -words * weights.foreign }
        if blocks.classifier.isProse(row) { return words }
        if block.linkShare >= 0.4 { return -words * weights.links }
        switch block.kind {
        case .text, .item: return words * weights.short
        case .cell, .heading, .code, .caption, .picture: return 0
        }
    }

    private func value(_ rows: Range<Int>) -> Double { valueBefore[rows.upperBound] - valueBefore[rows.lowerBound] }

    /// Returns the innermost element that is worth most; nil if there is none.
    func best() -> (node: NodeID, value: Double)? {
        let list = blocks.list
        var best: (row: Int, value: Double)?
        // A box comes before those inside it.
        for (row, box) in list.boxes.enumerated() {
            // The region of a single paragraph is the box around it.
            guard box.blocks.count > 1 || box.tag != .p, !Self.parts.contains(box.tag) else { continue }
            let value = value(box.blocks)
            let isInside = best.map { list.boxes[$0.row].blocks.contains(box.blocks) } ?? false
            let least = best.map { isInside ? $0.value * Self.minShareOfPart : $0.value } ?? Self.minValue
            if value > least || isInside && value == least, !isBeside(box, value) { best = (row, value) }
        }
        return best.map { (list.boxes[$0.row].node, $0.value) }
    }

    /// Parts of a table, and others that are no article of their own.
    private static let parts: TagSet = [.tr, .td, .th, .tbody, .thead, .li, .dd, .dt, .figure, .form]

    /// Whether the element is beside the article, such as a side bar or the foot of the page.
    private func isBeside(_ box: ArticleBox, _ value: Double) -> Bool {
        let page = blocks.page
        let near = [box.node] + page.ancestors(box.node, limit: 4)
        if near.contains(where: { [.aside, .nav, .footer].contains(page.tag($0)) }) { return true }
        // An element with most of the page's text may have any name.
        guard value < (valueBefore.last ?? 0) * 0.6 else { return false }
        return near.contains { ClassWeight.of($0, in: page) < 0 }
    }

    /// What a found article is worth.
    struct Measure {
        var value = 0.0
        fileprivate var words = 0
        fileprivate var commentWords = 0
        /// Words in blocks that belong to the article by their names and are not made of links.
        fileprivate var textWords = 0

        /// Words that are not in a side bar or the like.
        fileprivate var ownWords = 0
        /// The rows that were found.
        fileprivate var rows: [Int] = []

        /// Whether nothing of a part of the page was found.
        func isOutside(_ part: ArticleBox) -> Bool { !rows.contains { part.blocks.contains($0) } }

        /// What was found is not convincing, or is beside the text.
        var mayBeBeside: Bool { !isConvincing || ownWords == 0 }

        /// There is running text, more than what surrounds it, or much other text, such as a preformatted message.
        var isConvincing: Bool { value >= PageRegion.minValue || textWords >= PageRegion.minTextWords }

        /// More than half of it are comments, and the post that they belong to is in it, too.
        var isMostlyComments: Bool { commentWords * 2 > words && words > commentWords }
    }

    func measure(_ found: ArticleSearch.Found) -> Measure {
        var measure = Measure()
        if found.isReparsed {
            let known = Set(BlockList(found.content, in: found.document).blocks.map(\.hash))
            let rows = blocks.list.blocks.indices.filter { known.contains(blocks.list.blocks[$0].hash) }
            // A line that the side bar has, too, such as "Categories", may be that of the side bar.
            let beside = Set(rows.lazy.filter { blocks.isBeside[$0] }.map { blocks.list.blocks[$0].hash })
            for row in rows { add(row, isOwn: !beside.contains(blocks.list.blocks[row].hash), to: &measure) }
            return measure
        }
        var isFound = Array(repeating: false, count: blocks.page.nodeCount)
        found.document.forEachNode(below: found.content) { node in
            if node.row < isFound.count { isFound[node.row] = true }
        }
        for (row, block) in blocks.list.blocks.enumerated() {
            guard let text = blocks.list.texts[block.texts].first, isFound[text.row] else { continue }
            add(row, isOwn: !blocks.isBeside[row], to: &measure)
        }
        return measure
    }

    private func add(_ row: Int, isOwn: Bool, to measure: inout Measure) {
        let words = blocks.list.blocks[row].words
        measure.value += value(of: row)
        measure.words += words
        measure.rows.append(row)
        if isOwn { measure.ownWords += words }
        if blocks.isComment[row] { measure.commentWords += words }
        if !blocks.isForeign[row], blocks.list.blocks[row].linkShare < 0.4 { measure.textWords += words }
    }

    /// A part of the page with this share of its running text, and so many words, is certainly the article.
    private static let minShareOfPage = 0.6, minCertainValue = 60.0

    /// Whether a part that is worth `value` has most of the running text of the page.
    func isMostOfPage(_ value: Double) -> Bool {
        let all = blocks.list.blocks.indices.reduce(0) { $0 + max(0, self.value(of: $1)) }
        return value >= Self.minCertainValue && value >= all * Self.minShareOfPage
    }

    /// Whether a part of the page is to be taken instead of an article.
    func prefers(_ value: Double, to found: Double, _ node: NodeID) -> Bool {
        if found <= 0 { return value >= Self.minValue }
        // The body has other text, too.
        let factor = weights.factor * (blocks.page.tag(node) == .body ? 2 : 1)
        return found < weights.enough && value >= found * factor + weights.margin
    }
}
