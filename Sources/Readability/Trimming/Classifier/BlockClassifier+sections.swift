import HTML

// Blocks before the first paragraph and after the last, and sections that do not belong to the article.
extension BlockClassifier {
    // MARK: Before the first paragraph

    mutating func trimLead() {
        guard rules.contains(.lead), let first = proseRange?.lowerBound else { return }
        for row in 0..<first where isKept(row) && mayBeLine(list.blocks[row]) {
            if isWeakInLead(row, list.blocks[row]) { drop(row) }
        }
        // Dates and authors may follow an introduction.
        var paragraphs = 0
        for row in first..<min(first + 12, list.blocks.count) where isKept(row) {
            if prose[row] { paragraphs += 1 }
            if paragraphs > 2 { return }
            let block = list.blocks[row]
            if block.hints.contains(.contributor) { continue }
            let text = list.text(row)
            if block.kind == .heading
                ? page.isTitle(text)
                : !prose[row] && block.kind == .text && block.words <= 20 && isDateOrAuthor(row, block, text)
            {
                drop(row)
            }
        }
    }

    private func isWeakInLead(_ row: Int, _ block: ArticleBlock) -> Bool {
        let text = list.text(row)
        if block.words <= 40 && page.isTitle(text) && (block.kind == .heading || block.ending != .sentence) {
            return true
        }
        if isDateOrAuthor(row, block, text) { return true }
        if block.kind == .heading { return false }
        if block.linkShare >= 0.5 && block.words <= 30 { return true }
        // The salutation of a letter.
        if text.last == UInt8(ascii: ","), block.words >= 2, block.linkShare == 0 { return false }
        if block.ending == .open && block.words <= 6 && block.kind == .text && block.innerSentences == 0 { return true }
        return false
    }

    func isDateOrAuthor(_ row: Int, _ block: ArticleBlock, _ text: ArraySlice<UInt8>) -> Bool {
        guard block.words <= 30 else { return false }
        if block.words <= 20 && Dateline.isDate(text, beside: page.authorWords) { return true }
        if block.words <= 14, page.isByline(text) || block.ending != .sentence && BylineWords.opens(text) {
            return true
        }
        if block.words <= 8, text.elementsEqual(page.siteName) { return true }
        // `4 min.` ends as a sentence does.
        return (block.ending != .sentence || block.words <= 14)
            && !hints(around: row, levels: 3).isDisjoint(with: [.author, .meta])
    }

    // MARK: After the last paragraph

    mutating func trimTail() {
        guard let range = proseRange, range.upperBound > range.lowerBound else { return }
        let least = proseWords / 2
        var taken = 0
        for row in list.blocks.indices.reversed() {
            guard row > range.lowerBound else { return }
            let block = list.blocks[row]
            if block.kind == .picture || block.length.units == 0 || verdicts[row] != .keep { continue }
            guard mayBeLine(block), isWeakInTail(row, block) else { return }
            taken += block.words
            guard taken < least else { return }
            drop(row)
        }
    }

    private func isWeakInTail(_ row: Int, _ block: ArticleBlock) -> Bool {
        if block.kind == .heading { return true }
        let text = list.text(row)
        if isDateOrAuthor(row, block, text) { return true }
        if block.words <= 60
            && !hints(around: row, levels: 3).isDisjoint(with: foreign.union([.author, .meta]))
        {
            return true
        }
        if block.linkShare >= 0.6 && block.words <= 40 && !block.place.contains(.list) { return true }
        if block.words <= 25, Boilerplate.tails.opens(text), block.ending != .sentence || block.linkShare > 0.1 {
            return true
        }
        if block.words <= 40, Boilerplate.openings.opens(text) || Boilerplate.tailParts.occurs(in: text) { return true }
        if block.words <= 60, page.beginsWithAuthor(text), block.words >= 6 { return true }
        return block.words <= 8 && block.ending != .sentence && Boilerplate.opensSection(text)
    }

    // MARK: Sections that do not belong to the article

    mutating func dropSections() {
        let total = proseWords
        guard total > 0 else { return }
        let ends = endsOfSections()
        var before = 0
        var row = 0
        while row < list.blocks.count {
            let block = list.blocks[row]
            if isProse(row) { before += block.words }
            if isKept(row), mayBeLine(block), block.words <= 8, block.ending != .sentence, let kind = sectionKind(row),
                isLabel(row, block)
            {
                let end = endOfBox(around: row, ends[row])
                let words = list.words(row..<end)
                let isLate = before * 10 >= total * 6
                let isLinked = list.linkShare(row..<end) >= 0.5
                if isLinked && words <= 300
                    || kind == .foreign && isLate && block.kind == .heading && words * 10 <= total * 4
                {
                    for inside in row..<end { drop(inside) }
                    row = end
                    continue
                }
            }
            row += 1
        }
    }

    /// Returns where a section ends that has a box of its own and is followed by running text.
    private func endOfBox(around row: Int, _ end: Int) -> Int {
        var box = list.boxes[list.blocks[row].box].parent
        while box > 0, list.boxes[box].blocks.count == 1 { box = list.boxes[box].parent }
        guard box > 0 else { return end }
        let inside = list.boxes[box].blocks
        guard inside.lowerBound == row, inside.upperBound < end, prose[inside.upperBound],
            list.linkShare(row..<inside.upperBound) >= 0.5
        else { return end }
        return inside.upperBound
    }

    /// A sentence of a wall is not longer than this, in words.
    private static let maxWallWords = 60

    /// Removes what follows the sentence with which a page asks readers to subscribe.
    mutating func dropWall() {
        let total = proseWords
        let words = list.words(0..<list.blocks.count)
        var before = 0
        for row in list.blocks.indices {
            let block = list.blocks[row]
            let rest = row..<list.blocks.count
            if before * 2 >= total, total > 0, list.words(rest) * 10 <= words * 4, isKept(row), mayBeLine(block),
                block.words <= Self.maxWallWords, InterstitialPatterns.wallPhrases.isIn(Array(list.text(row)))
            {
                for inside in rest { drop(inside) }
                return
            }
            if isProse(row) { before += block.words }
        }
    }

    /// A foreign section never belongs to the article; a section of links does not if it consists of links.
    private enum SectionKind { case foreign, ofLinks }

    private func sectionKind(_ row: Int) -> SectionKind? {
        // `12 comments`
        let text = list.text(row).drop { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x20 }
        if Boilerplate.opensSection(text) { return .foreign }
        return Boilerplate.sectionsOfLinks.opens(text) ? .ofLinks : nil
    }

    /// Removes a company's description of itself after its press release.
    mutating func dropCompany() {
        let total = proseWords
        var before = 0
        for row in list.blocks.indices {
            let block = list.blocks[row]
            if isProse(row) { before += block.words }
            guard before * 2 >= total, total > 0, verdicts[row] != .caption, mayBeLine(block), block.words <= 8 else {
                continue
            }
            guard endsRelease(row, block) else { continue }
            let rest = row..<list.blocks.count
            if list.words(rest) * 2 <= total { for inside in rest { drop(inside) } }
            return
        }
    }

    private func endsRelease(_ row: Int, _ block: ArticleBlock) -> Bool {
        let text = list.text(row)
        if Boilerplate.isEndOfRelease(text) { return true }
        guard
            block.kind == .heading
                || block.ending != .sentence && row + 1 < prose.count && prose[row + 1] && block.words <= 5
        else { return false }
        guard let length = Boilerplate.company.opening(of: text) else { return false }
        return page.names(text.dropFirst(length))
    }

    /// Returns whether the block is a heading, or a line that serves as one.
    private func isLabel(_ row: Int, _ block: ArticleBlock) -> Bool {
        if block.kind == .heading { return true }
        // A line with a paragraph after it is not a heading.
        return block.linkShare < 0.5 && block.words <= 6 && row + 1 < prose.count && !prose[row + 1]
    }

    /// Returns, for every block, the next heading of its rank or a higher one that does not open such a section, or the
    /// end. It walks backwards, so that a page of headings only takes a single walk.
    private func endsOfSections() -> [Int] {
        let count = list.blocks.count
        var ends = Array(repeating: count, count: count)
        var next = Array(repeating: count, count: 8)
        for row in list.blocks.indices.reversed() {
            let rank = rank(row)
            ends[row] = next[rank]
            let block = list.blocks[row]
            guard block.kind == .heading, block.linkShare < 0.5, sectionKind(row) == nil else { continue }
            for lower in rank...7 { next[lower] = row }
        }
        return ends
    }

    private func rank(_ row: Int) -> Int {
        switch list.boxes[list.blocks[row].box].tag {
        case .h1: 1
        case .h2: 2
        case .h3: 3
        case .h4: 4
        case .h5: 5
        case .h6: 6
        default: 7
        }
    }
}
