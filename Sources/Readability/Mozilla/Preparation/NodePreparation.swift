import HTML

/// The first pass over the page. It removes hidden and unlikely elements, finds the byline, and turns elements that
/// serve as paragraphs into paragraphs.
struct NodePreparation {
    let stripsUnlikely: Bool
    let wantsByline: Bool
    /// Whether the author of a comment or of a quotation may be the byline.
    let takesCommenters: Bool
    let trace: ExtractionTrace?
    private let title: TextSimilarity

    /// The elements to score, in document order.
    private(set) var paragraphs: [NodeID] = []
    private(set) var byline: String?
    /// Boxes that were replaced by the only paragraph they contained, by that paragraph. Their class names describe it.
    private(set) var replaced: [NodeID: NodeID] = [:]
    private var mayRemoveHeadline = true

    init(
        title: String, stripsUnlikely: Bool, wantsByline: Bool, takesCommenters: Bool, trace: ExtractionTrace? = nil
    ) {
        self.takesCommenters = takesCommenters
        self.trace = trace
        self.title = TextSimilarity(to: title)
        self.stripsUnlikely = stripsUnlikely
        self.wantsByline = wantsByline
    }

    mutating func run(on document: inout Document) {
        var current = document.html
        while let node = current {
            if let reason = reasonToRemove(node, from: document) {
                trace?.remove(node, reason.rawValue, from: document)
                current = document.removeAndContinue(node)
                continue
            }
            var here = node
            if Vocabulary.scored.contains(document.tag(node)) { paragraphs.append(node) }
            if document.tag(node) == .div { here = makeParagraphs(node, in: &document) }
            current = document.nextElementInOrder(after: here)
        }
    }

    // MARK: Removal

    private enum Reason: String { case hidden, dialog, byline, title, unlikely, empty }

    private mutating func reasonToRemove(_ node: NodeID, from document: Document) -> Reason? {
        if !document.isProbablyVisible(node) { return .hidden }
        if document.attribute(node, .ariaModal, is: "true") && document.attribute(node, .role, is: "dialog") {
            return .dialog
        }
        let words = document.classAndID(node)
        if extractByline(node, words, in: document) { return .byline }
        if repeatsTitle(node, in: document) { return .title }
        if stripsUnlikely && isUnlikely(node, words, in: document) { return .unlikely }
        let isEmpty = Vocabulary.removedWhenEmpty.contains(document.tag(node)) && document.isWithoutContent(node)
        return isEmpty ? .empty : nil
    }

    private func isUnlikely(_ node: NodeID, _ words: [UInt8], in document: Document) -> Bool {
        let tag = document.tag(node)
        if Vocabulary.unlikely.matches(words), !Vocabulary.maybeAfterAll.matches(words), tag != .body, tag != .a,
            !document.hasAncestor(.table, node), !document.hasAncestor(.code, node)
        {
            return true
        }
        return document.has(node, .role)
            && Vocabulary.unlikelyRoles.contains(document.attribute(node, .role) ?? "")
    }

    /// Takes the text of an element marked as the author's for the byline; if a descendant is marked as the name, takes
    /// the text of that. Returns whether the element is the byline.
    private mutating func extractByline(_ node: NodeID, _ words: [UInt8], in document: Document) -> Bool {
        // An author element without text, such as an empty name inside another author element, is not the byline; the
        // search continues.
        guard wantsByline, byline.nonEmpty == nil else { return false }
        let isAuthor =
            document.attribute(node, .rel, is: "author") || mentions("author", node, in: document)
            || Vocabulary.byline.matches(words)
        guard isAuthor, takesCommenters || !document.namesAnother(node) else { return false }
        let length = document.trimmedLength(node, countingTo: Vocabulary.maxBylineLength)
        guard length > 0, length < Vocabulary.maxBylineLength else { return false }
        let name = document.elements(below: node) { mentions("name", $0, in: document) }.first
        byline = WhiteSpace.trim(document.textContent(name ?? node))
        return true
    }

    private func mentions(_ word: String, _ node: NodeID, in document: Document) -> Bool {
        document.has(node, .itemprop) && (document.attribute(node, .itemprop) ?? "").contains(word)
    }

    /// Returns whether this is the first headline that repeats the title. The reader shows the title anyway.
    private mutating func repeatsTitle(_ node: NodeID, in document: Document) -> Bool {
        guard mayRemoveHeadline, document.tag(node) == .h1 || document.tag(node) == .h2 else { return false }
        let headline = WhiteSpace.trim(document.textContent(node))
        guard title.of(headline) > Vocabulary.sameHeadline else { return false }
        mayRemoveHeadline = false
        return true
    }

    // MARK: Paragraphs

    /// Wraps running text directly inside a `div` in paragraphs. A `div` that is no more than a paragraph becomes one.
    /// Returns the node from which the walk continues.
    private mutating func makeParagraphs(_ div: NodeID, in document: inout Document) -> NodeID {
        wrapRunningText(of: div, in: &document)
        if document.holdsOnly(.p, div), document.linkDensity(div) < 0.25, let paragraph = document.onlyChildElement(div)
        {
            document.replace(div, with: paragraph)
            replaced[paragraph] = div
            paragraphs.append(paragraph)
            return paragraph
        }
        if !document.hasBlockInside(div) {
            document.rename(div, to: .p)
            paragraphs.append(div)
        }
        return div
    }

    private func wrapRunningText(of div: NodeID, in document: inout Document) {
        var current = document.firstChild(div)
        while let node = current {
            guard document.isPhrasing(node) else {
                current = document.nextSibling(node)
                continue
            }
            let paragraph = document.makeElement(.p)
            document.insert(paragraph, before: node)
            while let next = document.nextSibling(paragraph), document.isPhrasing(next) {
                document.append(next, to: paragraph)
            }
            document.dropSpaceAtStart(of: paragraph)
            document.dropSpaceAtEnd(of: paragraph)
            current = document.nextSibling(paragraph)
            if document.firstChild(paragraph) == nil { document.detach(paragraph) }
        }
    }
}
