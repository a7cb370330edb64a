import HTML

/// The blocks of a whole page, as the search gets it. Made once for all steps that look beside the found article.
struct PageBlocks {
    let page: Document
    let words: PageWords
    let list: BlockList
    let classifier: BlockClassifier
    /// By row: whether a box around the block says that it does not belong to an article.
    private(set) var isForeign: [Bool]
    /// The elements whose names say that they do not belong to an article, in document order.
    private(set) var foreignBoxes: [NodeID] = []
    /// By row: whether the block is in a list of comments on a post before them.
    private(set) var isComment: [Bool]

    /// By row: whether the block is in a side bar or the like, however much text that has.
    private(set) var isBeside: [Bool]

    /// By row: whether the block is in a box with reviews or testimonials.
    private(set) var isReview: [Bool]

    /// The rows of articles after the page's own.
    private(set) var otherRows: [Int] = []

    init?(_ page: Document, words: PageWords) {
        guard let body = page.body else { return nil }
        self.page = page
        self.words = words
        list = BlockList(body, in: page)
        classifier = BlockClassifier(list, rules: [], page: words)
        isForeign = Array(repeating: false, count: list.blocks.count)
        isComment = isForeign
        isBeside = isForeign
        isReview = isForeign
        findForeign()
    }

    /// Boxes whose text does not count.
    private static let foreign: BlockHints = [
        .related, .share, .subscribe, .advertisement, .tools, .navigation, .unseen, .beside,
    ]

    private mutating func findForeign() {
        var isComment = Array(repeating: false, count: list.blocks.count)
        let lists =
            Self.outermost(list.boxes.dropFirst().filter { $0.hints.contains(.comments) }) + Self.outermost(threads())
        for box in lists { for row in box.blocks { isComment[row] = true } }
        let wordsOfPage = list.words(0..<list.blocks.count)
        let wordsOfComments = list.blocks.indices.reduce(0) { $0 + (isComment[$1] ? list.blocks[$1].words : 0) }
        let forms = list.boxes.dropFirst().filter { box in
            box.tag == .form && list.words(box.blocks) * 2 < wordsOfPage - wordsOfComments && asksForAddress(box.node)
        }
        var isInForm = Array(repeating: false, count: list.blocks.count)
        for form in forms { for row in form.blocks { isInForm[row] = true } }
        // Words of running text before each row, without comments and forms.
        var prose = [0]
        for (row, block) in list.blocks.enumerated() {
            prose.append(prose[row] + (classifier.isProse(row) && !isComment[row] && !isInForm[row] ? block.words : 0))
        }
        // Boxes inside a foreign one are not visited again.
        var end = 0
        for box in list.boxes.dropFirst() where !box.blocks.isEmpty {
            let isReview = holdsReviews(box)
            let isNamed =
                !box.hints.isDisjoint(with: Self.foreign) || box.tag == .nav || isReview
                || box.tag == .form && box.blocks.first.map { isInForm[$0] } ?? false
            guard isNamed || Self.isAside(box, in: page) else { continue }
            // Such a name on the element of the whole article says nothing.
            let own = prose[box.blocks.upperBound] - prose[box.blocks.lowerBound]
            let limit =
                box.hints.contains(.related) || isReview
                ? Self.maxShareOfRelated
                : box.hints.contains(.beside) || box.tag == .aside ? Self.maxShareBeside : Self.maxShareOfForeign
            // A form for comments, a search or a newsletter is never text.
            let isSmall = own == 0 && isNamed && list.words(box.blocks) * 2 < wordsOfPage
            guard Double(own) < Double(prose.last ?? 0) * limit || isSmall || isNamed && box.tag == .form,
                box.blocks.lowerBound >= end
            else { continue }
            end = box.blocks.upperBound
            if isNamed { foreignBoxes.append(box.node) }
            for row in box.blocks {
                isForeign[row] = true
                if isReview { self.isReview[row] = true }
            }
        }
        for box in Self.outermost(list.boxes.dropFirst().filter { $0.hints.contains(.beside) || $0.tag == .aside }) {
            for row in box.blocks { isBeside[row] = true }
        }
        for box in otherArticles() {
            drop(box)
            if box.tag == .article { otherRows.append(contentsOf: box.blocks) }
        }
        // Comments belong to the post before them. Without one, as in a forum, they are the text.
        guard let post = endOfPost(isComment) else { return }
        for box in lists where box.blocks.lowerBound > post {
            drop(box)
            for row in box.blocks { self.isComment[row] = true }
        }
    }

    /// Nodes of a form that are looked at.
    private static let maxFormNodes = 300

    /// Whether a form asks for an e-mail address, as those for newsletters, members and messages do. Some pages are a form
    /// as a whole.
    private func asksForAddress(_ form: NodeID) -> Bool {
        var current = page.next(after: form, within: form)
        for _ in 0..<Self.maxFormNodes {
            guard let node = current else { return false }
            if page.tag(node) == .h1 || page.tag(node) == .article { return false }
            if page.tag(node) == .input, page.attribute(node, .type)?.lowercased() == "email" { return true }
            current = page.next(after: node, within: form)
        }
        return false
    }

    /// Words in the names of boxes with what customers say, in English, German, French, Spanish, Portuguese, Italian,
    /// Dutch, Swedish and Polish. The text of a page about a product is not that of its reviews.
    private static let testimonials: Set<String> = [
        "testimonial", "testimonials", "kundenstimmen", "temoignages", "testimonios", "depoimentos",
        "testimonianze", "klantverhalen", "kundcitat", "referencje",
    ]
    private static let reviews: Set<String> = [
        "review", "reviews", "bewertungen", "kundenbewertungen", "rezensionen", "avis", "resenas", "opiniones",
        "avaliacoes", "recensioni", "beoordelingen", "recensioner", "opinie",
    ]
    /// A quick test that rules out most boxes.
    private static let otherWords = WordPattern((testimonials.sorted() + reviews.sorted()).joined(separator: " "))

    /// Whether a box holds reviews of the product that the page presents, or testimonials.
    private func holdsReviews(_ box: ArticleBox) -> Bool {
        guard box.tag != .body,
            page.attribute(box.node, .class, satisfies: { Self.otherWords.matches($0) })
                || page.attribute(box.node, .id, satisfies: { Self.otherWords.matches($0) })
        else { return false }
        let names = ClassWords(of: box.node, in: page)
        return names.hasWord(of: Self.testimonials) || words.isProduct && names.hasWord(of: Self.reviews)
    }

    /// The class names of a post: of hAtom and its successor, and of WordPress.
    private static let postClasses: Set<String> = ["hentry", "h-entry", "type-post"]
    private static let postWords = WordPattern("hentry h-entry type-post")
    /// A post has at least so many words.
    private static let minWordsOfMarkedPost = 3

    /// A block with a larger share of links is a list of links. A short post may be a link with a few words.
    private static let maxLinkShareInMarkedPost = 0.8

    /// Returns the box that the page marks as a post, if there is a single one with text. Themes put the classes of the
    /// post also on lists of links beside it.
    func markedPost() -> ArticleBox? {
        let posts = Self.outermost(
            list.boxes.dropFirst().filter { box in
                page.attribute(box.node, .class, satisfies: { Self.postWords.matches($0) })
                    && ClassWords(of: box.node, in: page).hasName(of: Self.postClasses)
            }
        ).filter { words(inPost: $0) >= Self.minWordsOfMarkedPost }
        return posts.count == 1 ? posts.first : nil
    }

    private func words(inPost post: ArticleBox) -> Int {
        post.blocks.reduce(0) { sum, row in
            let block = list.blocks[row]
            let isText = block.kind == .text || block.kind == .item
            return sum
                + (!isForeign[row] && isText && block.linkShare <= Self.maxLinkShareInMarkedPost ? block.words : 0)
        }
    }

    /// The hashes of the blocks in articles after the page's own that do not occur before them.
    var otherHashes: Set<UInt64> {
        guard let first = otherRows.first else { return [] }
        return Set(otherRows.lazy.map { list.blocks[$0].hash }).subtracting(list.blocks[..<first].lazy.map(\.hash))
    }

    /// The hashes of the blocks in comments.
    var commentHashes: Set<UInt64> { Set(isComment.indices.lazy.filter { isComment[$0] }.map { list.blocks[$0].hash }) }

    private mutating func drop(_ box: ArticleBox) {
        foreignBoxes.append(box.node)
        for row in box.blocks { isForeign[row] = true }
    }

    /// Returns the boxes that are not inside another of them. `boxes` must be in document order.
    private static func outermost(_ boxes: [ArticleBox]) -> [ArticleBox] {
        var end = 0
        return boxes.filter { box in
            guard box.blocks.lowerBound >= end, !box.blocks.isEmpty else { return false }
            end = box.blocks.upperBound
            return true
        }
    }

    // MARK: Further articles

    /// More headlines than this are not looked at.
    private static let maxHeadlines = 50

    /// Returns the boxes of the articles that the page shows after its own: built as the box of its own, each with a
    /// headline.
    private func otherArticles() -> [ArticleBox] {
        let headlines = list.blocks.indices.lazy.filter {
            list.blocks[$0].kind == .heading && list.boxes[list.blocks[$0].box].tag == .h1
        }.prefix(Self.maxHeadlines)
        guard let own = headlines.first(where: { words.isTitle(list.text($0)) }) else { return [] }
        // By box around the page's headline: the box in it that contains the headline.
        var inside: [Int: Int] = [:]
        var box = list.blocks[own].box
        while list.boxes[box].parent >= 0 {
            inside[list.boxes[box].parent] = box
            box = list.boxes[box].parent
        }
        return headlines.compactMap { row -> ArticleBox? in
            guard row > own else { return nil }
            var box = list.blocks[row].box
            while list.boxes[box].parent >= 0, inside[list.boxes[box].parent] == nil { box = list.boxes[box].parent }
            guard let first = inside[list.boxes[box].parent], first != box, isLike(box, first) else { return nil }
            return list.boxes[box]
        }
    }

    private func isLike(_ one: Int, _ other: Int) -> Bool {
        list.boxes[one].tag == list.boxes[other].tag && list.boxes[one].tag != .h1
            && page.attribute(list.boxes[one].node, .class) == page.attribute(list.boxes[other].node, .class)
    }

    // MARK: Threads

    /// A list has at least so many contributions.
    private static let minContributions = 3

    /// Returns the boxes that are lists of contributions: boxes in a row, each with a date and a text, and without a
    /// heading of its own.
    private func threads() -> [ArticleBox] {
        var isDate = Array(repeating: false, count: list.blocks.count)
        for (row, block) in list.blocks.enumerated() where block.words <= 14 && !classifier.isProse(row) {
            isDate[row] = hasTime(list.text(row))
        }
        func counts(_ test: (Int) -> Bool) -> [Int] {
            list.blocks.indices.reduce(into: [0]) { $0.append(($0.last ?? 0) + (test($1) ? 1 : 0)) }
        }
        let dates = counts { isDate[$0] }
        guard (dates.last ?? 0) >= Self.minContributions else { return [] }
        let texts = counts { row in
            list.blocks[row].linkShare < 0.4 && list.blocks[row].words >= 5 && list.blocks[row].kind != .heading
                && !isDate[row]
        }
        let headings = counts { list.blocks[$0].kind == .heading }
        func number(_ sums: [Int], _ rows: Range<Int>) -> Int { sums[rows.upperBound] - sums[rows.lowerBound] }
        // By box: the contributions in it, and their blocks.
        var contributions = Array(repeating: (count: 0, blocks: 0), count: list.boxes.count)
        for box in list.boxes.dropFirst() where Self.contributionTags.contains(box.tag) {
            guard number(dates, box.blocks) >= 1, number(texts, box.blocks) >= 1, number(headings, box.blocks) == 0
            else { continue }
            contributions[box.parent].count += 1
            contributions[box.parent].blocks += box.blocks.count
        }
        return list.boxes.indices.dropFirst().filter { row in
            let found = contributions[row]
            return found.count >= Self.minContributions && found.blocks * 10 >= list.boxes[row].blocks.count * 8
        }.map { list.boxes[$0] }
    }

    private static let contributionTags: TagSet = [.li, .div, .article, .tr, .dd, .section]

    /// Whether a line contains a time of day, such as `9:05`, or a year of this or the last century beside another
    /// number or a word.
    private func hasTime(_ text: ArraySlice<UInt8>) -> Bool {
        var digits: [UInt8] = []
        var previous = 0
        var last: UInt8 = 0
        for byte in text.prefix(160) + [0x20] {
            if byte >= 0x30 && byte <= 0x39 {
                digits.append(byte)
                continue
            }
            if !digits.isEmpty {
                if digits.count == 4, digits.starts(with: "19".utf8) || digits.starts(with: "20".utf8),
                    last != 0x2E || byte != 0x2E
                {
                    return true
                }
                if digits.count == 2, last == UInt8(ascii: ":"), previous == 1 || previous == 2 { return true }
                previous = digits.count
                digits.removeAll(keepingCapacity: true)
            }
            last = byte
        }
        return false
    }

    /// A box with a larger share of the page's running text belongs to the article, whatever its name says.
    private static let maxShareOfForeign = 0.4
    /// The same for side bars and the foot of the page, and for teasers of related articles, which may be longer than
    /// the article. These names are more reliable.
    private static let maxShareBeside = 0.6, maxShareOfRelated = 0.75

    private static func isAside(_ box: ArticleBox, in page: Document) -> Bool {
        switch box.tag {
        case .nav, .aside: true
        case .footer: !page.hasAncestor(.blockquote, box.node) && !page.hasAncestor(.article, box.node)
        default: mayBeHidden(box.node, in: page) && !page.isProbablyVisible(box.node)
        }
    }

    /// Whether an element has something that can hide it. Most styles hide nothing, and need no parsing.
    private static func mayBeHidden(_ node: NodeID, in page: Document) -> Bool {
        page.attributeCount(node) > 0
            && (page.has(node, .hidden) || page.has(node, .ariaHidden)
                || page.attribute(node, .style) { hidingWords.matches($0) })
    }

    private static let hidingWords = WordPattern("none hidden")

    /// Words of sentences that make a post without running text.
    private static let minWordsOfPost = 8

    /// Returns the first row by which the page has shown a post that others may comment on.
    private func endOfPost(_ isComment: [Bool]) -> Int? {
        let title = list.blocks.indices.first { list.blocks[$0].kind == .heading && words.isTitle(list.text($0)) }
        var count = 0
        for row in (title ?? 0)..<list.blocks.count where !isForeign[row] && !isComment[row] {
            let block = list.blocks[row]
            guard block.linkShare < 0.4, block.kind == .text || block.kind == .item || block.kind == .cell else {
                continue
            }
            if classifier.isProse(row) { return row }
            if block.ending == .sentence { count += block.words }
            if count >= Self.minWordsOfPost { return row }
        }
        return nil
    }
}
