import HTML

/// Cleans the joined parts: removes styles, forms and boxes that do not belong to the article. The order of the steps
/// matters, because the decision about a box depends on what was removed inside it.
struct Cleaning {
    let rules: ArticleSearch.Rules
    let mode: ExtractionMode
    /// Mode best keeps boxes and headings whose text a reader would miss.
    let appliesExemptions: Bool
    let trace: ExtractionTrace?
    private var dataTables: Set<NodeID> = []

    init(
        rules: ArticleSearch.Rules, mode: ExtractionMode, appliesExemptions: Bool = false,
        trace: ExtractionTrace? = nil
    ) {
        self.trace = trace
        self.rules = rules
        self.mode = mode
        self.appliesExemptions = appliesExemptions
    }

    mutating func clean(_ content: NodeID, in document: inout Document) {
        removeStyles(from: content, in: &document)
        dataTables = DataTables.find(below: content, in: document)
        // Mode best loads them before the search.
        if mode == .compat { LazyImages.load(below: content, in: &document, mode: mode) }

        for tag in [Tag.form, .fieldset] { cleanConditionally(tag, below: content, in: &document) }
        for tag in [Tag.object, .embed, .footer, .link, .aside] { remove(tag, below: content, in: &document) }
        removeShareBoxes(below: content, in: &document)
        for tag in [Tag.iframe, .input, .textarea, .select, .button] { remove(tag, below: content, in: &document) }
        removeDoubtfulHeadings(below: content, in: &document)
        for tag in [Tag.table, .ul, .div] { cleanConditionally(tag, below: content, in: &document) }

        // The title is shown as the only first-level heading.
        for headline in document.elements([.h1], below: content) { document.rename(headline, to: .h2) }
        removeEmptyParagraphs(below: content, in: &document)
        removeBreaksBeforeParagraphs(below: content, in: &document)
        unwrapSingleCells(below: content, in: &document)
    }

    // MARK: Steps

    /// SVG keeps its attributes because they are the image.
    private func removeStyles(from content: NodeID, in document: inout Document) {
        var current: NodeID? = content
        while let node = current {
            if document.attributeCount(node) == 0, document.localTag(node) != .svg {
                current = document.next(after: node, within: content)
                continue
            }
            if document.localTag(node) == .svg {
                current = document.next(skipping: node, within: content)
                continue
            }
            for name in Vocabulary.presentational { document.remove(node, name) }
            if Vocabulary.oldSizes.contains(document.tag(node)) {
                document.remove(node, .width)
                document.remove(node, .height)
            }
            current = document.next(after: node, within: content)
        }
    }

    private func remove(_ tag: Tag, below content: NodeID, in document: inout Document) {
        let mayBeVideo = Vocabulary.embeds.contains(tag)
        for node in document.elements([tag], below: content) where !(mayBeVideo && document.embedsKnownVideo(node)) {
            if appliesExemptions, isExempt(node, tag, in: document) { continue }
            trace?.remove(node, "element", document.name(of: node), from: document)
            document.detach(node)
        }
    }

    /// Notes beside the text, and the sources of quotations, are kept.
    private func isExempt(_ node: NodeID, _ tag: Tag, in document: Document) -> Bool {
        switch tag {
        // At the end of the article such boxes are about the author or similar.
        case .aside, .div:
            document.nextElement(node) != nil && document.previousElement(node) != nil
                && CleaningExemption.applies(to: node, in: document)
        case .footer: document.hasAncestor(.blockquote, node)
        default: false
        }
    }

    /// Removes short boxes with the word `share` in their class or id, except the joined parts themselves.
    private func removeShareBoxes(below content: NodeID, in document: inout Document) {
        for part in document.childElements(content) {
            let end = document.nextElementInOrder(skipping: part)
            var current = document.nextElementInOrder(after: part)
            while let node = current, node != end {
                if ShareWord.occurs(in: document.classAndID(node)), document.utf16Length(node) < Vocabulary.wantedLength
                {
                    trace?.remove(node, "sharing", from: document)
                    current = document.removeAndContinue(node)
                } else {
                    current = document.nextElementInOrder(after: node)
                }
            }
        }
    }

    private func removeDoubtfulHeadings(below content: NodeID, in document: inout Document) {
        guard rules.contains(.weighClasses) else { return }
        for heading in document.elements(appliesExemptions ? [.h1] : [.h1, .h2], below: content)
        where ClassWeight.of(heading, in: document) < 0 {
            trace?.remove(heading, "class", from: document)
            document.detach(heading)
        }
    }

    private func removeEmptyParagraphs(below content: NodeID, in document: inout Document) {
        for paragraph in document.elements([.p], below: content).reversed() {
            guard document.isBlank(paragraph), !document.contains([.img, .embed, .object, .iframe], below: paragraph)
            else {
                continue
            }
            document.detach(paragraph)
        }
    }

    private func removeBreaksBeforeParagraphs(below content: NodeID, in document: inout Document) {
        for lineBreak in document.elements([.br], below: content) {
            if let next = document.firstNonBlank(from: document.nextSibling(lineBreak)), document.tag(next) == .p {
                document.detach(lineBreak)
            }
        }
    }

    /// Replaces a table of a single cell with a `p` or `div`.
    private func unwrapSingleCells(below content: NodeID, in document: inout Document) {
        for table in document.elements([.table], below: content) {
            let body = document.holdsOnly(.tbody, table) ? document.firstChildElement(table) ?? table : table
            guard document.holdsOnly(.tr, body), let row = document.firstChildElement(body),
                document.holdsOnly(.td, row),
                let cell = document.firstChildElement(row)
            else { continue }
            document.rename(cell, to: document.allChildren(cell, satisfy: document.isPhrasing) ? .p : .div)
            document.replace(table, with: cell)
        }
    }

    private func cleanConditionally(_ tag: Tag, below content: NodeID, in document: inout Document) {
        guard rules.contains(.cleanConditionally) else { return }
        let cleaning = ConditionalCleaning(
            tag: tag, weighsClasses: rules.contains(.weighClasses), dataTables: dataTables)
        // Visit in reverse document order, so that inner boxes are decided before their ancestors.
        for node in document.elements([tag], below: content).reversed() {
            guard let reason = cleaning.reasonToRemove(node, in: document) else { continue }
            if appliesExemptions, isExempt(node, tag, in: document) { continue }
            trace?.remove(node, reason.rule, reason.detail, from: document)
            if mode == .best { RichContent.moveMarkedElements(outOf: node, in: &document) }
            document.detach(node)
        }
    }
}
