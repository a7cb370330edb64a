import HTML

/// Decides from its content whether a box (form, table, list, `div`) is removed from the article.
struct ConditionalCleaning {
    /// The kind of box that is being cleaned.
    let tag: Tag
    let weighsClasses: Bool
    let dataTables: Set<NodeID>

    /// Returns nil for a box that stays.
    func reasonToRemove(_ node: NodeID, in document: Document) -> CleaningReason? {
        if isProtected(node, in: document) { return nil }
        let weight = weighsClasses ? ClassWeight.of(node, in: document) : 0
        if weight < 0 { return .weight(weight) }
        let statistics = ElementStatistics(of: node, in: document, enoughCommas: Vocabulary.commasOfText)
        // A box with many commas is running text, whatever else it contains. A box with a known video player is
        // content.
        guard statistics.text.asciiCommas < Vocabulary.commasOfText, !statistics.hasKnownVideo else { return nil }
        if isOnlyALabel(node, statistics.text, in: document) { return .label }
        let isList = Vocabulary.lists.contains(tag) || statistics.isMostlyLists
        let inFigure = document.hasAncestor(.figure, node)
        guard let reason = suspicion(statistics, weight: weight, isList: isList, inFigure: inFigure) else {
            return nil
        }
        return isList && isGallery(node, statistics, in: document) ? nil : reason
    }

    /// Protects data tables, their content and their ancestors, and anything inside `code`.
    private func isProtected(_ node: NodeID, in document: Document) -> Bool {
        if tag == .table && dataTables.contains(node) { return true }
        if !dataTables.isEmpty {
            if document.hasAncestor(.table, node, levels: .max, where: dataTables.contains) { return true }
            if document.elements([.table], below: node).contains(where: dataTables.contains) { return true }
        }
        return document.hasAncestor(.code, node)
    }

    /// Returns whether the box contains only the label of an advertisement or of content that is still loading.
    private func isOnlyALabel(_ node: NodeID, _ text: TextMeasure, in document: Document) -> Bool {
        guard text.length > 0 && text.length <= 16 else { return false }
        var words = document.innerText(node).lowercased()
        if Vocabulary.advertisingWords.contains(words) { return true }
        if words.hasSuffix("…") { words.removeLast() } else if words.hasSuffix("...") { words.removeLast(3) }
        return Vocabulary.loadingWords.contains(words)
    }

    private func suspicion(
        _ box: ElementStatistics, weight: Int, isList: Bool, inFigure: Bool
    ) -> CleaningReason? {
        // The first hundred items do not count, so that long lists inside articles are not taken for menus.
        let items = box.items - 100
        let links = box.linkDensity
        let tooManyImages = !inFigure && box.images > 1 && Double(box.paragraphs) / Double(box.images) < 0.5
        let tooManyItems = !isList && items > box.paragraphs
        let tooManyInputs = box.inputs > box.paragraphs / 3
        let tooShort =
            !isList && !inFigure && box.headingDensity < 0.9 && box.text.length < 25
            && (box.images == 0 || box.images > 2)
            && links > 0
        let tooLinked = !isList && weight < 25 && links > 0.2
        let mostlyLinks = weight >= 25 && links > 0.5
        let embedOnly = (box.embeds == 1 && box.text.length < 75) || box.embeds > 1
        let empty = box.images == 0 && !box.hasTextInTextElement
        if tooManyImages { return .pictures(box.images, paragraphs: box.paragraphs) }
        if tooManyItems { return .items(box.items, paragraphs: box.paragraphs) }
        if tooManyInputs { return .inputs(box.inputs, paragraphs: box.paragraphs) }
        if tooShort { return .short(box.text.length) }
        if tooLinked || mostlyLinks { return .links(links) }
        if embedOnly { return .embeds(box.embeds) }
        return empty ? .noText : nil
    }

    /// Returns whether the list is plain and every item is an image.
    private func isGallery(_ node: NodeID, _ box: ElementStatistics, in document: Document) -> Bool {
        let isPlain = document.childElements(node).allSatisfy { document.childElements($0).count <= 1 }
        return isPlain && box.images == box.items
    }
}
