import HTML

/// Records what the steps of an extraction remove, and why. Extractions without one record nothing.
final class ExtractionTrace {
    /// One run of the search. Later runs start from the page again.
    struct Attempt {
        /// The page at the start of the run.
        let page: Document
        var removed: [NodeID: Removal] = [:]
        var candidates: [(element: String, score: Double)] = []
        var chosen: String?
    }

    struct Removal {
        let rule: String
        var detail: String?
    }

    private(set) var attempts: [Attempt] = []
    private(set) var explanation = ExtractionExplanation()

    /// The number of the current attempt.
    var current: Int { attempts.count - 1 }

    func begin(_ page: Document) { attempts.append(Attempt(page: page)) }

    /// - Parameter attempt: nil for the current one.
    func remove(
        _ node: NodeID, _ rule: String, _ detail: String? = nil, from document: Document, in attempt: Int? = nil
    ) {
        guard let row = attempt ?? attempts.indices.last else { return }
        let removal = Removal(rule: rule, detail: detail)
        if node.row < attempts[row].page.nodeCount {
            attempts[row].removed[node] = removal
        } else {
            // The page has no such element: the search has made it around some text.
            document.forEachNode(below: node) { attempts[row].removed[$0] = removal }
        }
    }

    func choose(_ node: NodeID, among candidates: [(node: NodeID, score: Double)] = [], in document: Document) {
        guard let row = attempts.indices.last else { return }
        attempts[row].chosen = Self.name(node, in: document)
        // A part of the page that is taken instead of the found article has no score: show those of the search.
        attempts[row].candidates =
            candidates.isEmpty
            ? attempts[..<row].last { !$0.candidates.isEmpty }?.candidates ?? []
            : candidates.map { (Self.name($0.node, in: document), $0.score) }
    }

    /// Makes the explanation. `found` is the article, after all steps.
    func finish(_ found: ArticleSearch.Found?) {
        guard let row = found?.attempt ?? attempts.indices.last else { return }
        let attempt = attempts[row]
        explanation.attempt = row + 1
        explanation.chosen = attempt.chosen
        explanation.candidates = attempt.candidates
        guard let body = attempt.page.body else { return }
        let list = BlockList(body, in: attempt.page)
        let kept = found.map { Set(BlockList($0.content, in: $0.document).blocks.map(\.hash)) } ?? []
        for block in list.blocks where block.kind != .picture {
            explanation.blocks.append(explain(block, of: list, in: attempt, found, kept))
        }
    }

    private func explain(
        _ block: ArticleBlock, of list: BlockList, in attempt: Attempt, _ found: ArticleSearch.Found?,
        _ kept: Set<UInt64>
    ) -> ExtractionExplanation.Block {
        let page = attempt.page
        let texts = list.texts[block.texts]
        var result = ExtractionExplanation.Block(
            text: OneLine.of(texts.map { page.textContent($0) }.joined()) ?? "",
            element: Self.path(list.boxes[block.box].node, in: page), words: block.words, linkShare: block.linkShare)
        guard let text = texts.first else { return result }
        let removal = ([text] + page.ancestors(text)).lazy.compactMap { attempt.removed[$0] }.first
        if let found {
            let above = found.document.ancestors(text)
            if above.contains(found.content) {
                let isCaption = above.contains { found.document.tag($0) == .figcaption }
                result.isKept = true
                result.rule = isCaption ? "captions" : nil
                return result
            }
            // Some steps make new elements from the text of others.
            if removal == nil, kept.contains(block.hash) {
                result.isKept = true
                return result
            }
        }
        result.rule = removal?.rule ?? "outside"
        result.detail = removal?.detail
        return result
    }

    /// `div#main.post`
    static func name(_ node: NodeID, in page: Document) -> String {
        var name = page.name(of: node)
        if let id = page.attribute(node, .id).nonEmpty { name += "#" + id.prefix(40) }
        let classes = (page.attribute(node, .class) ?? "").split(whereSeparator: \.isWhitespace).prefix(3)
        return name + classes.map { "." + $0.prefix(40) }.joined()
    }

    private static func path(_ node: NodeID, in page: Document) -> String {
        let above = page.ancestors(node, limit: 3).filter { page.isElement($0) }.reversed()
        return (above + [node]).map { name($0, in: page) }.joined(separator: " > ")
    }
}
