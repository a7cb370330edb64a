import HTML

/// The standfirst of an article: paragraphs between the headline and the text that introduce it. Pages often put them
/// into a header beside the text, where the search does not look.
struct Standfirst {
    let blocks: PageBlocks

    private var page: Document { blocks.page }
    private var words: PageWords { blocks.words }

    /// More words are no introduction, but a part of the article that the search has left out, or something else.
    private static let maxWords = 150
    private static let minWords = 6
    /// A paragraph without a name that says what it is has at least so many words and ends as a sentence.
    private static let minWordsOfProse = 12
    /// Blocks between the headline and the text that are looked at.
    private static let maxBlocks = 40
    /// What such a paragraph is not, nor a box around it.
    private static let foreign: BlockHints = [
        .caption, .share, .subscribe, .advertisement, .comments, .author, .tools, .navigation, .unseen,
    ]

    /// Adds the standfirst to an article that lacks it.
    ///
    /// - Parameter known: the hashes of the blocks that were found, with those that were removed.
    func add(to content: NodeID, known: Set<UInt64>, in document: inout Document) {
        guard let article = document.firstChildElement(content) else { return }
        let texts = texts(known)
        for text in texts.reversed() {
            let paragraph = document.makeElement(.p)
            document.append(document.makeText(text), to: paragraph)
            if let first = document.firstChild(article) {
                document.insert(paragraph, before: first)
            } else {
                document.append(paragraph, to: article)
            }
        }
    }

    /// - Parameter known: the hashes of the article's blocks.
    private func texts(_ known: Set<UInt64>) -> [String] {
        let list = blocks.list
        let classifier = blocks.classifier
        guard
            let start = list.blocks.indices.first(where: {
                known.contains(list.blocks[$0].hash) && classifier.isProse($0)
            })
        else { return [] }
        let before = max(0, start - Self.maxBlocks)..<start
        let headline = before.last { isHeading($0) && words.isTitle(list.text($0)) }
        var rows: [Int] = []
        var taken = 0
        for row in before where row > headline ?? -1 && !known.contains(list.blocks[row].hash) {
            let isDescription = words.isDescription(list.text(row))
            guard isDescription || headline != nil,
                introduces(row, isDescription, classifier)
            else { continue }
            rows.append(row)
            taken += list.blocks[row].words
        }
        guard taken <= Self.maxWords else { return [] }
        return rows.map { row in
            list.blocks[row].texts.map { page.textContent(list.texts[$0]) }.joined()
        }
    }

    /// Whether a block is a heading, or in one.
    private func isHeading(_ row: Int) -> Bool {
        let block = blocks.list.blocks[row]
        if block.kind == .heading { return true }
        guard block.kind == .text else { return false }
        let parent = blocks.list.boxes[block.box].parent
        return parent >= 0 && Self.headings.contains(blocks.list.boxes[parent].tag)
    }

    private static let headings: TagSet = [.h1, .h2, .h3]

    private func introduces(_ row: Int, _ isDescription: Bool, _ classifier: BlockClassifier) -> Bool {
        let block = classifier.list.blocks[row]
        guard block.words >= Self.minWords, block.linkShare < 0.3,
            block.place.isDisjoint(with: [.figure, .caption, .table, .code])
        else { return false }
        let text = classifier.list.text(row)
        let hints = classifier.hints(around: row, levels: 3)
        guard hints.isDisjoint(with: Self.foreign), !words.isTitle(text), !classifier.isDateOrAuthor(row, block, text)
        else {
            return false
        }
        if isDescription || !hints.isDisjoint(with: [.standfirst, .summary]) { return true }
        // A heading that ends as a sentence is one.
        return block.words >= Self.minWordsOfProse && block.ending == .sentence
    }
}
