import HTML

/// Looks for the article in a prepared page: sweep, score, choose, join, clean. When the result is short it starts again
/// from the page as it was, with one rule less each time, and in the end takes the longest of what it found.
struct ArticleSearch {
    /// The groups of rules that can be given up, in the order in which they are.
    struct Rules: OptionSet {
        let rawValue: Int
        static let stripUnlikely = Rules(rawValue: 1)
        static let weighClasses = Rules(rawValue: 2)
        static let cleanConditionally = Rules(rawValue: 4)
        static let all: Rules = [.stripUnlikely, .weighClasses, .cleanConditionally]
    }

    struct Found {
        /// The page with the article taken out into a tree of its own.
        var document: Document
        /// Parent of the article's `div`.
        var content: NodeID
        /// Address of the `base` that is left in the page.
        var base: String?
        var byline: String?
        var direction: String?
        /// See ``NodePreparation/replaced``.
        var replaced: [NodeID: NodeID]
        /// The chosen element and those around it in the page; empty where the page had been read anew.
        var way: [NodeID] = []
    }

    private struct Attempt {
        let document: Document
        let content: NodeID
        let length: Int
        let replaced: [NodeID: NodeID]
    }

    let page: Document
    let mode: Mode
    /// What mode best does besides.
    let best: BestRules
    let title: String
    /// With a byline in the metadata none is looked for, and nothing that looks like one is removed.
    let hasByline: Bool

    /// The article, which is what the page claims to be its article where it claims and shows one.
    func find(_ claims: [ArticleClaim]) -> Found? {
        let found = find()
        lazy var foundText = found.map { Shingles(of: $0.content, in: $0.document) } ?? Shingles()
        for claim in claims {
            if claim.isMet(by: found) { break }
            guard let text = claim.text(in: page, insteadOf: foundText) else { continue }
            if claim.isMet(by: foundText, text) { break }
            if let claimed = find(text), ArticleClaim.prefers(Shingles(of: claimed.content, in: claimed.document), to: foundText, text) {
                return claimed
            }
        }
        return found
    }

    func find() -> Found? {
        guard let body = page.body else { return nil }
        var start = page
        var isReadAnew = false
        var longest: Attempt?
        var byline: String?
        var formerCandidate: NodeID?
        for rules: Rules in [.all, [.weighClasses, .cleanConditionally], .cleanConditionally, []] {
            var document = start
            var sweep = NodePreparation(
                title: title, stripsUnlikely: rules.contains(.stripUnlikely),
                wantsByline: !hasByline && byline.nonEmpty == nil)
            sweep.run(on: &document)
            byline = sweep.byline ?? byline

            var scoring = Scoring(
                weighsClasses: rules.contains(.weighClasses), formerCandidate: formerCandidate)
            scoring.score(sweep.paragraphs, in: document)
            if scoring.score(of: body) != nil { formerCandidate = body }
            let choice = CandidateChoice.choose(from: &scoring, body: body, in: &document)
            guard let choice else { return nil }
            let way = isReadAnew ? [] : [choice.node] + document.ancestors(choice.node)
            let content = SiblingJoin.join(around: choice, scoring: scoring, in: &document)
            var cleaning = Cleaning(rules: rules, mode: mode, pardons: best.contains(.pardon))
            cleaning.clean(content, in: &document)
            frame(content, choice, in: &document)

            let length = document.measure(content).length
            if length >= Vocabulary.wantedLength {
                let direction = direction(around: choice, upTo: nil, in: document)
                return Found(
                    document: document, content: content, base: Polish.writtenBase(of: document), byline: byline,
                    direction: direction, replaced: sweep.replaced, way: way)
            }
            if longest == nil { (start, isReadAnew) = (restarted(after: document, body: body), true) }
            // Of the attempts the longest is kept, and no more: each is a whole page.
            if length > longest?.length ?? -1 {
                longest = Attempt(document: document, content: content, length: length, replaced: sweep.replaced)
            }
            if rules.isEmpty {
                guard let longest, longest.length > 0 else { return nil }
                // The page is put back before the direction is asked for, which cuts the last attempt's tree off the body.
                let direction = direction(around: choice, upTo: body, in: document)
                return Found(
                    document: longest.document, content: longest.content, base: Polish.writtenBase(of: start),
                    byline: byline, direction: direction, replaced: longest.replaced)
            }
        }
        return nil
    }

    /// The part of the page that has the claimed text, once the search by points has found another: nothing is left out as
    /// unlikely, and nothing beside it is joined. nil where the page has no such text.
    private func find(_ text: Shingles) -> Found? {
        var document = page
        var sweep = NodePreparation(title: title, stripsUnlikely: false, wantsByline: !hasByline)
        sweep.run(on: &document)
        guard let node = ArticleClaim.element(with: text, in: document), let parent = document.parent(node) else { return nil }
        let choice = CandidateChoice(node: node, parent: parent)
        let content = document.makeElement(.div)
        if !Vocabulary.keptAsSibling.contains(document.tag(node)) { document.rename(node, to: .div) }
        // Asked for before the element leaves the page.
        let direction = direction(around: choice, upTo: nil, in: document)
        document.append(node, to: content)
        var cleaning = Cleaning(rules: .cleanConditionally, mode: mode, pardons: best.contains(.pardon))
        cleaning.clean(content, in: &document)
        frame(content, choice, in: &document)
        return Found(
            document: document, content: content, base: Polish.writtenBase(of: document), byline: sweep.byline,
            direction: direction, replaced: sweep.replaced)
    }

    /// The page as later attempts find it: the body's content read anew from its own HTML. Browsers restore a page that way,
    /// and the preparation may have nested what HTML cannot nest: a paragraph inside a paragraph stands beside it then.
    /// What the first sweep removed outside the body's content stays away, be it the body itself, which then is not swept
    /// again.
    private func restarted(after attempt: Document, body: NodeID) -> Document {
        var restarted = page
        // Beyond the budget, which the page itself was not, its tree serves as it is.
        if let content = try? restarted.parseFragment(Serializer.bytes(page, below: body)) {
            for child in restarted.children(body) { restarted.detach(child) }
            restarted.moveChildren(of: content, to: body)
        }
        let head = page.head.map { page.elements(below: $0) { _ in true } } ?? []
        for part in [body] + [page.html, page.head].compactMap({ $0 }) + head where attempt.parent(part) == nil {
            restarted.detach(part)
        }
        return restarted
    }

    /// Names the article's `div`; the stand-in made of a whole body is that `div` already.
    private func frame(_ content: NodeID, _ choice: CandidateChoice, in document: inout Document) {
        if choice.isWholeBody {
            name(choice.node, in: &document)
            return
        }
        let frame = document.makeElement(.div)
        name(frame, in: &document)
        document.moveChildren(of: content, to: frame)
        document.append(frame, to: content)
    }

    private func name(_ frame: NodeID, in document: inout Document) {
        document.set(frame, .id, to: "readability-page-1")
        document.set(frame, .class, to: "page")
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
