import HTML

/// Decides for every block of a found article whether it belongs to the article. Each step visits all blocks once and
/// uses the decisions of the steps before it.
struct BlockClassifier {
    enum Verdict { case keep, remove, caption }

    let list: BlockList
    let rules: TrimmingRules
    let page: PageWords
    var verdicts: [Verdict]
    /// By row: the rule that removed the block.
    private(set) var reasons: [TrimmingRules]
    /// The rule whose step is running.
    private var rule: TrimmingRules = []
    /// Rows of boxes that are removed with all their content, including pictures.
    var removedBoxes: [Int] = []
    /// By row: whether the block is running text of the article, that is, long enough and not made of links.
    private(set) var prose: [Bool] = []
    /// Boxes that do not belong to the article. Comments do if no running text stands before them, as in a forum.
    private(set) var foreign = BlockHints.foreign

    init(_ list: BlockList, rules: TrimmingRules, page: PageWords) {
        self.list = list
        self.rules = rules
        self.page = page
        verdicts = Array(repeating: .keep, count: list.blocks.count)
        reasons = Array(repeating: [], count: list.blocks.count)
        prose = list.blocks.map(BlockClassifier.isProse)
        if !hasPostBeforeComments { foreign.remove(.comments) }
    }

    static func decide(_ list: BlockList, rules: TrimmingRules, page: PageWords) -> BlockClassifier {
        var classifier = BlockClassifier(list, rules: rules, page: page)
        // Sections come before single lines, among them the headings that it needs.
        for (rule, step) in steps where rules.contains(rule) {
            classifier.rule = rule
            step(&classifier)
        }
        return classifier
    }

    private static let steps: [(TrimmingRules, @Sendable (inout BlockClassifier) -> Void)] = [
        (.boxes, { $0.dropForeignBoxes() }), (.captions, { $0.findCaptions() }),
        (
            .sections,
            {
                $0.dropSections(); $0.dropWall()
            }
        ),
        (.company, { $0.dropCompany() }), (.phrases, { $0.dropPhrases() }), (.links, { $0.dropLinkLines() }),
        (.lead, { $0.trimLead() }),
        (
            .tail,
            {
                $0.trimTail(); $0.dropLonelyContributors()
            }
        ),
    ]

    /// Running text: at least a dozen words that end as a sentence, or at least thirty.
    static func isProse(_ block: ArticleBlock) -> Bool {
        switch block.kind {
        case .text, .item, .cell: break
        case .heading, .code, .caption, .picture: return false
        }
        if block.place.contains(.figure) { return false }
        let words = block.words
        return words >= 12 && block.linkShare < 0.4 && (block.ending == .sentence || words >= 30)
    }

    func isProse(_ block: Int) -> Bool { prose[block] && verdicts[block] == .keep }

    /// Whether the block is text that is kept so far.
    func isKept(_ block: Int) -> Bool { verdicts[block] == .keep && list.blocks[block].kind != .picture }

    /// The range from the first to the last block of running text.
    var proseRange: ClosedRange<Int>? {
        guard let first = prose.indices.first(where: isProse), let last = prose.indices.last(where: isProse) else {
            return nil
        }
        return first...last
    }

    /// The number of words of running text.
    var proseWords: Int { prose.indices.reduce(0) { $0 + (isProse($1) ? list.blocks[$1].words : 0) } }

    mutating func drop(_ block: Int) {
        guard verdicts[block] == .keep else { return }
        verdicts[block] = .remove
        reasons[block] = rule
    }

    mutating func drop(box row: Int) {
        removedBoxes.append(row)
        for block in list.boxes[row].blocks {
            if verdicts[block] == .keep { reasons[block] = rule }
            verdicts[block] = .remove
        }
    }

    // MARK: Steps over all blocks

    /// Removes boxes whose names say that they are not part of an article and that contain little of its text.
    mutating func dropForeignBoxes() {
        let all = 0..<list.blocks.count
        let words = list.words(all)
        var wordsBefore = [0]
        for row in all { wordsBefore.append(wordsBefore[row] + (prose[row] ? list.blocks[row].words : 0)) }
        let proseWords = wordsBefore[all.count]
        var end = 0
        for (row, box) in list.boxes.enumerated()
        where row > 0 && !box.hints.isEmpty && !box.blocks.isEmpty && box.blocks.lowerBound >= end {
            let inside = list.words(box.blocks)
            let ownProse = wordsBefore[box.blocks.upperBound] - wordsBefore[box.blocks.lowerBound]
            let before = wordsBefore[box.blocks.lowerBound]
            // The author's description may be as long as a short article.
            let isAuthor = box.hints.contains(.author) && before > 0 && inside * 10 <= words * 6
            guard isAuthor || inside * 4 <= words && ownProse * 5 <= proseWords else { continue }
            let isForeign = isForeign(
                box, words: inside, prose: ownProse, isLate: before * 2 >= proseWords, isBefore: before == 0,
                isAfter: before + ownProse >= proseWords)
            guard isForeign else { continue }
            drop(box: row)
            end = box.blocks.upperBound
        }
    }

    /// Whether running text stands before the first comments.
    private var hasPostBeforeComments: Bool {
        let isComment = { (box: ArticleBox) in box.hints.contains(.comments) && !box.blocks.isEmpty }
        guard let first = list.boxes.dropFirst().first(where: isComment) else { return true }
        return list.blocks[..<first.blocks.lowerBound].indices.contains { row in
            prose[row] || list.blocks[row].ending == .sentence && list.blocks[row].words >= 8
        }
    }

    private func isForeign(
        _ box: ArticleBox, words: Int, prose: Int, isLate: Bool, isBefore: Bool, isAfter: Bool
    )
        -> Bool
    {
        if list.blocks[box.blocks.lowerBound].place.contains(.code) || box.tag == .pre || box.tag == .figcaption {
            return false
        }
        let hints = box.hints
        if hints.contains(.unseen) { return words <= 12 }
        let isPlain = list.linkShare(box.blocks) < 0.15
        if !hints.isDisjoint(with: [.share, .advertisement, .subscribe, .navigation]) {
            return prose <= 60 || !isPlain || isAfter && hints.contains(.advertisement)
        }
        // Boxes with background information have the same class names as boxes with links.
        if hints.contains(.related) { return !isPlain || prose < 25 }
        if hints.contains(.comments) { return isLate && foreign.contains(.comments) }
        if hints.contains(.tools) { return isBefore || isAfter }
        if hints.contains(.author) { return isAfter && words <= 150 && box.tag != .li }
        return false
    }

    /// Removes short lines that begin as no article does.
    mutating func dropPhrases() {
        for (row, block) in list.blocks.enumerated() where verdicts[row] == .keep && mayBeLine(block) {
            let text = list.text(row)
            if block.words <= 1, Self.isCount(text), hints(around: row, levels: 3).contains(.tools) {
                drop(row)
                continue
            }
            // A word that ends as a sentence is one, as in the second paragraph of a note.
            if block.words <= 8, block.ending != .sentence || block.linkShare > 0.2,
                Boilerplate.labels.isAll(of: text.drop { $0 < 0x80 && !isWordCharacter($0) })
            {
                drop(row)
            } else if block.words <= 40, block.words <= 25 || block.linkShare > 0.3,
                let length = Boilerplate.openings.opening(of: text)
            {
                // A line that ends as a sentence and has no links may belong to the article.
                let isMarked =
                    text[text.startIndex + length - 1] == UInt8(ascii: ":")
                    || Letters.beginsWithColon(text.dropFirst(length))
                if isMarked || block.linkShare > 0.2 || block.ending != .sentence || block.kind == .heading {
                    drop(row)
                }
            }
        }
    }

    /// Whether a text is a count of votes: `+1`, `-3`, `0`.
    private static func isCount(_ text: ArraySlice<UInt8>) -> Bool {
        let digits =
            text.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? false ? text.dropFirst() : text
        return (1...6).contains(digits.count) && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Removes lines with authors of posts of which nothing is left.
    mutating func dropLonelyContributors() {
        var hasText = false
        for row in list.blocks.indices.reversed() {
            if list.blocks[row].hints.contains(.contributor) {
                if !hasText { drop(row) }
                hasText = false
            } else if verdicts[row] != .remove {
                hasText = true
            }
        }
    }

    /// Whether the block can be a line of boilerplate: neither code, nor a cell of a data table, nor the author of a
    /// post.
    func mayBeLine(_ block: ArticleBlock) -> Bool {
        if block.hints.contains(.contributor) { return false }
        return switch block.kind {
        case .text, .heading, .item: true
        case .cell, .code, .caption, .picture: false
        }
    }

    /// Removes lines that consist of links only.
    mutating func dropLinkLines() {
        for (row, block) in list.blocks.enumerated() where isKept(row) && mayBeLine(block) {
            guard block.linkShare >= 0.9, block.words <= 30, block.kind != .item, !block.place.contains(.quote) else {
                continue
            }
            if block.kind == .heading {
                // Above a paragraph it is the paragraph's heading.
                if row + 1 < prose.count, prose[row + 1] { continue }
            } else if block.words <= 2 || block.ending == .sentence || isAddress(row) {
                continue
            }
            drop(row)
        }
        dropLinkLists()
    }

    /// A line that shows a URL or mail address is about it.
    private func isAddress(_ row: Int) -> Bool {
        let text = list.text(row)
        return text.starts(with: "http".utf8) || text.starts(with: "www.".utf8) || text.contains(UInt8(ascii: "@"))
    }

    /// Removes lists of links without a heading before them.
    private mutating func dropLinkLists() {
        for (row, box) in list.boxes.enumerated() where (box.tag == .ul || box.tag == .ol) && !box.blocks.isEmpty {
            let first = box.blocks.lowerBound
            guard isKept(first), list.linkShare(box.blocks) >= 0.8, !isAddress(first) else { continue }
            let words = list.words(box.blocks)
            guard words <= 200, words >= box.blocks.count * 4 || box.blocks.count == 1 else { continue }
            if first > 0, isKept(first - 1),
                list.blocks[first - 1].kind == .heading || list.blocks[first - 1].ending == .colon
            {
                continue
            }
            drop(box: row)
        }
    }
}
