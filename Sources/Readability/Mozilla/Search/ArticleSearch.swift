import HTML

/// Finds the article in a prepared page: prepares the nodes, scores them, chooses a candidate, joins its siblings and
/// cleans the result. If the result is short, it starts again from the original page with one group of rules less.
/// After the last attempt it returns the longest result.
struct ArticleSearch {
    /// The groups of rules that later attempts omit, in this order.
    struct Rules: OptionSet {
        let rawValue: Int
        static let stripUnlikely = Rules(rawValue: 1)
        static let weighClasses = Rules(rawValue: 2)
        static let cleanConditionally = Rules(rawValue: 4)
        static let all: Rules = [.stripUnlikely, .weighClasses, .cleanConditionally]
    }

    struct Found {
        /// The page, with the article moved into a tree of its own.
        var document: Document
        /// The parent of the article's `div`.
        var content: NodeID
        /// The `href` of the `base` element that is left in the page.
        var base: String?
        var byline: String?
        var direction: String?
        /// See ``NodePreparation/replaced``.
        var replaced: [NodeID: NodeID]
        /// The chosen element and its ancestors in the page. Empty if the page was parsed again.
        var path: [NodeID] = []
        /// The page was parsed again, so that its nodes are not those of the page.
        var isReparsed = false
        /// The number of the attempt in the trace.
        var attempt: Int?
        /// The search has found hardly any running text; see ``ArticleConfidence/low``.
        var isUncertain = false
    }

    private struct Attempt {
        let document: Document
        let content: NodeID
        let length: Int
        let replaced: [NodeID: NodeID]
        let isReparsed: Bool
        let number: Int?
    }

    let page: Document
    let mode: ExtractionMode
    /// The additional rules of mode best.
    let best: TrimmingRules
    let title: String
    /// If the metadata has a byline, the search neither looks for one nor removes elements that look like one.
    let hasByline: Bool
    let trace: ExtractionTrace?

    init(
        page: Document, mode: ExtractionMode, best: TrimmingRules, title: String, hasByline: Bool,
        trace: ExtractionTrace? = nil
    ) {
        self.page = page
        self.mode = mode
        self.best = best
        self.title = title
        self.hasByline = hasByline
        self.trace = trace
    }

    /// Returns the article. If the page claims a text as its article and shows it, that text wins over the result of
    /// the search.
    func find(_ claims: [MarkedArticle]) -> Found? {
        let found = find()
        lazy var foundText = found.map { Shingles(of: $0.content, in: $0.document) } ?? Shingles()
        for claim in claims {
            if claim.isSatisfied(by: found) { break }
            guard let text = claim.text(in: page, insteadOf: foundText) else { continue }
            if claim.isSatisfied(by: foundText, text) { break }
            if let claimed = find(text),
                MarkedArticle.prefers(Shingles(of: claimed.content, in: claimed.document), to: foundText, text)
            {
                return claimed
            }
        }
        return found
    }

    func find() -> Found? {
        guard let body = page.body else { return nil }
        var start = page
        var isReparsed = false
        var longest: Attempt?
        var byline: String?
        var excludedCandidate: NodeID?
        for rules: Rules in [.all, [.weighClasses, .cleanConditionally], .cleanConditionally, []] {
            var document = start
            trace?.begin(start)
            var preparation = NodePreparation(
                title: title, stripsUnlikely: rules.contains(.stripUnlikely),
                wantsByline: !hasByline && byline.nonEmpty == nil, takesCommenters: mode == .compat, trace: trace)
            preparation.run(on: &document)
            byline = preparation.byline ?? byline

            var scoring = Scoring(
                weighsClasses: rules.contains(.weighClasses), excludedCandidate: excludedCandidate)
            scoring.score(preparation.paragraphs, in: document)
            if scoring.score(of: body) != nil { excludedCandidate = body }
            let choice = CandidateChoice.choose(from: &scoring, body: body, in: &document, trace: trace)
            guard let choice else { return nil }
            let path = isReparsed ? [] : [choice.node] + document.ancestors(choice.node)
            let content = SiblingJoin.join(around: choice, scoring: scoring, in: &document)
            var cleaning = Cleaning(
                rules: rules, mode: mode, appliesExemptions: best.contains(.exemptions), trace: trace)
            cleaning.clean(content, in: &document)
            nameArticleDiv(content, choice, in: &document)

            let length = document.measure(content).length
            if length >= Vocabulary.wantedLength {
                let direction = direction(around: choice, upTo: nil, in: document)
                return Found(
                    document: document, content: content, base: Polish.writtenBase(of: document), byline: byline,
                    direction: direction, replaced: preparation.replaced, path: path, isReparsed: isReparsed,
                    attempt: trace?.current)
            }
            let wasReparsed = isReparsed
            if longest == nil { (start, isReparsed) = (reparsed(after: document, body: body), true) }
            // Keep only the longest attempt: each attempt is a copy of the whole page.
            if length > longest?.length ?? -1 {
                longest = Attempt(
                    document: document, content: content, length: length, replaced: preparation.replaced,
                    isReparsed: wasReparsed, number: trace?.current)
            }
            if rules.isEmpty {
                guard let longest, longest.length > 0 else { return nil }
                // Restore the page before looking up the direction: the last attempt's tree is detached from the body.
                let direction = direction(around: choice, upTo: body, in: document)
                return Found(
                    document: longest.document, content: longest.content, base: Polish.writtenBase(of: start),
                    byline: byline, direction: direction, replaced: longest.replaced, isReparsed: longest.isReparsed,
                    attempt: longest.number)
            }
        }
        return nil
    }

    /// Returns the part of the page with the claimed text; used after the search by score has found a different one. It
    /// removes nothing as unlikely and joins no siblings. Returns nil if the page does not contain the text.
    private func find(_ text: Shingles) -> Found? {
        var document = page
        trace?.begin(page)
        var preparation = NodePreparation(
            title: title, stripsUnlikely: false, wantsByline: !hasByline, takesCommenters: mode == .compat, trace: trace
        )
        preparation.run(on: &document)
        guard let node = MarkedArticle.element(with: text, in: document) else { return nil }
        return found(node, after: preparation, in: &document)
    }

    /// Returns an element of the page as the article.
    ///
    /// - Parameters:
    ///   - foreign: elements that are left out if they are inside.
    ///   - cleansConditionally: whether boxes are removed that look as if they had no text of the article.
    func find(_ node: NodeID, without foreign: [NodeID], cleansConditionally: Bool = true) -> Found? {
        var document = page
        trace?.begin(page)
        for box in foreign where document.isInside(box, node) && box != node {
            trace?.remove(box, "foreign", from: document)
            document.detach(box)
        }
        var preparation = NodePreparation(
            title: title, stripsUnlikely: false, wantsByline: !hasByline, takesCommenters: mode == .compat, trace: trace
        )
        preparation.run(on: &document)
        return found(
            preparation.replaced[node] ?? node, after: preparation,
            rules: cleansConditionally ? .cleanConditionally : [], in: &document)
    }

    private func found(
        _ node: NodeID, after preparation: NodePreparation, rules: Rules = .cleanConditionally,
        in document: inout Document
    ) -> Found? {
        var node = node
        if document.tag(node) == .body {
            let all = document.makeElement(.div)
            document.moveChildren(of: node, to: all)
            document.append(all, to: node)
            node = all
        }
        guard let parent = document.parent(node) else { return nil }
        let choice = CandidateChoice(node: node, parent: parent)
        trace?.choose(node, in: document)
        let content = document.makeElement(.div)
        if !Vocabulary.keptAsSibling.contains(document.tag(node)) { document.rename(node, to: .div) }
        // Look up the direction before the element leaves the page.
        let direction = direction(around: choice, upTo: nil, in: document)
        document.append(node, to: content)
        var cleaning = Cleaning(
            rules: rules, mode: mode, appliesExemptions: best.contains(.exemptions), trace: trace)
        cleaning.clean(content, in: &document)
        nameArticleDiv(content, choice, in: &document)
        return Found(
            document: document, content: content, base: Polish.writtenBase(of: document), byline: preparation.byline,
            direction: direction, replaced: preparation.replaced, attempt: trace?.current)
    }

    /// Returns the page for later attempts, with the body's content parsed again from its own HTML. Browsers restore a
    /// page that way, and the preparation may have nested elements in a way that HTML does not allow: a paragraph
    /// inside a paragraph becomes its sibling.
    /// Elements that the first attempt removed outside the body's content stay removed. This can be the body itself,
    /// which is then not prepared again.
    private func reparsed(after attempt: Document, body: NodeID) -> Document {
        var reparsed = page
        // If the serialized body exceeds the parse budget (the page itself did not), use its tree unchanged.
        if let content = try? reparsed.parseFragment(Serializer.bytes(page, below: body)) {
            for child in reparsed.children(body) { reparsed.detach(child) }
            reparsed.moveChildren(of: content, to: body)
        }
        let head = page.head.map { page.elements(below: $0) { _ in true } } ?? []
        for part in [body] + [page.html, page.head].compactMap({ $0 }) + head where attempt.parent(part) == nil {
            reparsed.detach(part)
        }
        return reparsed
    }

    /// Sets the id and class of the article's `div`. If the whole body was chosen, its replacement `div` is used.
    private func nameArticleDiv(_ content: NodeID, _ choice: CandidateChoice, in document: inout Document) {
        if choice.isWholeBody {
            setIdentity(of: choice.node, in: &document)
            return
        }
        let articleDiv = document.makeElement(.div)
        setIdentity(of: articleDiv, in: &document)
        document.moveChildren(of: content, to: articleDiv)
        document.append(articleDiv, to: content)
    }

    private func setIdentity(of articleDiv: NodeID, in document: inout Document) {
        document.set(articleDiv, .id, to: "readability-page-1")
        document.set(articleDiv, .class, to: "page")
    }

    private func direction(around choice: CandidateChoice, upTo body: NodeID?, in document: Document) -> String? {
        var ancestors = document.ancestors(choice.parent)
        if choice.parent != body, let body, let end = ancestors.firstIndex(of: body) {
            ancestors.removeSubrange(end...)
        }
        for node in [choice.parent, choice.node] + ancestors {
            if let direction = document.attribute(node, .dir).nonEmpty { return direction }
        }
        return nil
    }
}
