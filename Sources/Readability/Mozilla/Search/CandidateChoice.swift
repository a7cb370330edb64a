import HTML

/// The element chosen as the article, and its parent.
struct CandidateChoice {
    var node: NodeID
    var parent: NodeID
    /// No candidate was better than the body: `node` is a new `div` with all of the body's children.
    var isWholeBody = false

    /// Returns nil if the page has no usable tree, such as a frameset without text.
    static func choose(
        from scoring: inout Scoring, body: NodeID, in document: inout Document, trace: ExtractionTrace? = nil
    ) -> CandidateChoice? {
        let best = rank(&scoring, in: document)
        guard let top = best.first, document.tag(top) != .body else {
            trace?.choose(body, among: best.map { ($0, scoring.score(of: $0) ?? 0) }, in: document)
            return wholeBody(body, scoring: &scoring, in: &document)
        }
        var node = top
        node = commonAncestor(of: best, scoring: scoring, in: document) ?? node
        if scoring.score(of: node) == nil { scoring.initialise(node, in: document) }
        node = climbWhileRising(from: node, scoring: scoring, in: document)
        node = climbWhileAlone(from: node, in: document)
        if scoring.score(of: node) == nil { scoring.initialise(node, in: document) }
        guard let parent = document.parent(node) else { return nil }
        trace?.choose(node, among: best.map { ($0, scoring.score(of: $0) ?? 0) }, in: document)
        return CandidateChoice(node: node, parent: parent)
    }

    /// Multiplies each score by the share of text that is not link text. Returns the best candidates, best first.
    private static func rank(_ scoring: inout Scoring, in document: Document) -> [NodeID] {
        var best: [NodeID] = []
        for candidate in scoring.candidates {
            let score = (scoring.score(of: candidate) ?? 0) * (1 - document.linkDensity(candidate))
            scoring.set(candidate, to: score)
            let place = best.firstIndex { score > scoring.score(of: $0) ?? 0 } ?? best.count
            guard place < Vocabulary.candidatesCompared else { continue }
            best.insert(candidate, at: place)
            if best.count > Vocabulary.candidatesCompared { best.removeLast() }
        }
        return best
    }

    private static func wholeBody(
        _ body: NodeID, scoring: inout Scoring, in document: inout Document
    )
        -> CandidateChoice
    {
        let all = document.makeElement(.div)
        document.moveChildren(of: body, to: all)
        document.append(all, to: body)
        scoring.initialise(all, in: document)
        return CandidateChoice(node: all, parent: body, isWholeBody: true)
    }

    /// If several candidates score nearly as high as the best, the article is spread over them: returns the nearest
    /// ancestor that contains at least three of the alternatives.
    private static func commonAncestor(of best: [NodeID], scoring: Scoring, in document: Document) -> NodeID? {
        guard let top = best.first, let topScore = scoring.score(of: top) else { return nil }
        let alternatives = best.dropFirst().filter { (scoring.score(of: $0) ?? 0) / topScore >= 0.75 }
        guard alternatives.count >= Vocabulary.alternativesNeeded else { return nil }
        let above = alternatives.map { Set(document.ancestors($0)) }
        return document.ancestors(top).prefix { document.tag($0) != .body }
            .first { ancestor in above.count { $0.contains(ancestor) } >= Vocabulary.alternativesNeeded }
    }

    /// A score that rises towards an ancestor means more content beside this element. The climb ends where the score
    /// falls below a third.
    private static func climbWhileRising(from node: NodeID, scoring: Scoring, in document: Document) -> NodeID {
        var last = scoring.score(of: node) ?? 0
        let least = last / 3
        for ancestor in document.ancestors(node) {
            if document.tag(ancestor) == .body { break }
            guard let score = scoring.score(of: ancestor) else { continue }
            if score < least { break }
            if score > last { return ancestor }
            last = score
        }
        return node
    }

    /// An only child has no siblings to join, but its parent may have some.
    private static func climbWhileAlone(from node: NodeID, in document: Document) -> NodeID {
        var node = node
        while let parent = document.parent(node), document.isElement(parent), document.tag(parent) != .body,
            document.onlyChildElement(parent) == node
        {
            node = parent
        }
        return node
    }
}
