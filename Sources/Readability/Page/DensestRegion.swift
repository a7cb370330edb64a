import HTML

/// The part of a page that holds most of its running text. The search looks for one element with many paragraphs, and
/// so it misses articles that are spread over several, and takes a long comment for the article above it.
struct DensestRegion {
    /// The innermost element that holds nearly all of the running text.
    let node: NodeID
    /// The share of the region's running text that the found article holds, from 0 to 1.
    let foundShare: Double
    /// The words of running text in it.
    let proseCount: Int

    /// A region is left for a part of it that holds at least this share of its running text.
    private static let minShareOfPart = 0.85
    /// At least this share of a region's words must be running text. Otherwise it is a list of links or a form.
    private static let minProse = 0.6
    /// Words of running text. A page with less of them has no region.
    private static let minWords = 25
    private static let maxLinkShare = 0.3
    /// Boxes whose running text does not count.
    private static let foreign: BlockHints = [
        .related, .share, .subscribe, .advertisement, .comments, .tools, .navigation, .unseen,
    ]

    /// Returns nil for a page with too little running text, or where it is not the main part of any region.
    ///
    /// - Parameter found: the article that the search has found; nil if there is none.
    init?(of page: Document, found: ArticleSearch.Found?, words: PageWords) {
        guard let body = page.body else { return nil }
        let list = BlockList(body, in: page)
        guard !list.blocks.isEmpty else { return nil }
        let classifier = BlockClassifier(list, rules: [], page: words)
        let isForeign = Self.foreignBlocks(list)
        // Words of running text before each row.
        var prose = [0]
        for (row, block) in list.blocks.enumerated() {
            prose.append(prose[row] + (classifier.isProse(row) && !isForeign[row] ? block.words : 0))
        }
        func proseWords(_ rows: Range<Int>) -> Int { prose[rows.upperBound] - prose[rows.lowerBound] }
        guard proseWords(0..<list.blocks.count) >= Self.minWords else { return nil }

        var region = 0
        // A box comes before those inside it, so the boxes of the last region that matters are visited last.
        for (row, box) in list.boxes.enumerated().dropFirst()
        where box.blocks.lowerBound >= list.boxes[region].blocks.lowerBound
            && box.blocks.upperBound <= list.boxes[region].blocks.upperBound
        {
            let isMost =
                Double(proseWords(box.blocks)) >= Double(proseWords(list.boxes[region].blocks)) * Self.minShareOfPart
            // The region of a single paragraph is the box around it.
            if isMost, box.blocks.count > 1, page.tag(box.node) != .p { region = row }
        }
        let rows = list.boxes[region].blocks
        var own = 0
        for row in rows where !isForeign[row] { own += list.blocks[row].words }
        node = list.boxes[region].node
        proseCount = proseWords(rows)
        guard page.tag(node) != .body, !Self.isAside(node, in: page), proseCount >= Self.minWords,
            Double(proseCount) >= Double(own) * Self.minProse
        else { return nil }
        var text = Shingles()
        for row in rows where classifier.isProse(row) && !isForeign[row] {
            text.add { take in
                for place in list.blocks[row].texts { page.withText(list.texts[place], take) }
            }
        }
        foundShare = found.map { text.share(in: Shingles(of: $0.content, in: $0.document)) } ?? 0
    }

    /// The words of running text in an article; none if links make up much of it.
    static func proseWords(of found: ArticleSearch.Found, words: PageWords) -> Int {
        let list = BlockList(found.content, in: found.document)
        guard list.linkShare(0..<list.blocks.count) < maxLinkShare else { return 0 }
        return BlockClassifier(list, rules: [], page: words).proseWords
    }

    /// Whether the region is beside the article, such as a side bar or the foot of the page.
    private static func isAside(_ region: NodeID, in page: Document) -> Bool {
        ([region] + page.ancestors(region, limit: 4)).contains { node in
            [.aside, .nav, .footer].contains(page.tag(node)) || ClassWeight.of(node, in: page) < 0
        }
    }

    /// By row: whether a box around the block says that it does not belong to an article.
    private static func foreignBlocks(_ list: BlockList) -> [Bool] {
        var isForeign = Array(repeating: false, count: list.blocks.count)
        for box in list.boxes.dropFirst() where !box.hints.isDisjoint(with: foreign) && box.tag != .body {
            // Such a name on the element of the whole article says nothing.
            guard box.blocks.count * 2 < list.blocks.count else { continue }
            for row in box.blocks { isForeign[row] = true }
        }
        return isForeign
    }
}
