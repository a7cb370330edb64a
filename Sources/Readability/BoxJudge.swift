import HTML

/// Decides whether a box (form, table, list, `div`) belongs to the article, by what it holds.
struct BoxJudge {
    /// The kind of box that is being cleaned.
    let tag: Tag
    let weighsClasses: Bool
    let dataTables: Set<NodeID>

    func condemns(_ node: NodeID, in document: Document) -> Bool {
        if isProtected(node, in: document) { return false }
        let weight = weighsClasses ? ClassWeight.of(node, in: document) : 0
        if weight < 0 { return true }
        let text = document.measure(node)
        // Many commas are running text, whatever else there is.
        guard text.asciiCommas < 10 else { return false }
        guard let embeds = countUnknownEmbeds(in: node, of: document) else { return false }
        if saysNothing(node, text, in: document) { return true }
        let contents = Contents(of: node, text: text, embeds: embeds, weight: weight, isList: isList(node, text, document), document)
        guard contents.isSuspicious else { return false }
        return !(contents.isList && isGallery(node, images: contents.images, in: document))
    }

    /// Data tables, what lies in or around them, and code.
    private func isProtected(_ node: NodeID, in document: Document) -> Bool {
        if tag == .table && dataTables.contains(node) { return true }
        if !dataTables.isEmpty {
            if document.hasAncestor(.table, node, levels: .max, where: dataTables.contains) { return true }
            if document.elements([.table], below: node).contains(where: dataTables.contains) { return true }
        }
        return document.hasAncestor(.code, node)
    }

    /// A list, or a box whose text is lists for the most part.
    private func isList(_ node: NodeID, _ text: TextMeasure, _ document: Document) -> Bool {
        if Vocabulary.lists.contains(tag) { return true }
        let listed = document.elements(Vocabulary.lists, below: node).reduce(0) { $0 + document.measure($1).length }
        return Double(listed) / Double(text.length) > 0.9
    }

    /// nil when one of the embeds is a video player we know: then the box stays.
    private func countUnknownEmbeds(in node: NodeID, of document: Document) -> Int? {
        let embeds = document.elements(Vocabulary.embeds, below: node)
        return embeds.contains(where: document.embedsKnownVideo) ? nil : embeds.count
    }

    /// Nothing but the label of an advertisement or of something that is still loading.
    private func saysNothing(_ node: NodeID, _ text: TextMeasure, in document: Document) -> Bool {
        guard text.length > 0 && text.length <= 16 else { return false }
        var words = document.innerText(node).lowercased()
        if Vocabulary.advertisingWords.contains(words) { return true }
        if words.hasSuffix("…") { words.removeLast() } else if words.hasSuffix("...") { words.removeLast(3) }
        return Vocabulary.loadingWords.contains(words)
    }

    /// A plain list in which every item is a picture.
    private func isGallery(_ node: NodeID, images: Int, in document: Document) -> Bool {
        let isPlain = document.childElements(node).allSatisfy { document.childElements($0).count <= 1 }
        return isPlain && images == document.count([.li], below: node)
    }

    /// What is counted in a box.
    private struct Contents {
        let isList: Bool
        let images: Int
        let isSuspicious: Bool

        init(of node: NodeID, text: TextMeasure, embeds: Int, weight: Int, isList: Bool, _ document: Document) {
            let paragraphs = document.count([.p], below: node)
            let images = document.count([.img], below: node)
            // A hundred items are free, so that long lists inside articles are not taken for menus.
            let items = document.count([.li], below: node) - 100
            let inputs = document.count([.input], below: node)
            let links = document.linkDensity(node)
            let headings = document.density(of: Vocabulary.headings, node)
            let inFigure = document.hasAncestor(.figure, node)

            let tooManyImages = !inFigure && images > 1 && Double(paragraphs) / Double(images) < 0.5
            let tooManyItems = !isList && items > paragraphs
            let tooManyInputs = inputs > paragraphs / 3
            let tooShort =
                !isList && !inFigure && headings < 0.9 && text.length < 25 && (images == 0 || images > 2) && links > 0
            let tooLinked = !isList && weight < 25 && links > 0.2
            let mostlyLinks = weight >= 25 && links > 0.5
            let embedOnly = (embeds == 1 && text.length < 75) || embeds > 1
            let empty = images == 0 && document.density(of: Vocabulary.textBearers, node) == 0

            self.isList = isList
            self.images = images
            isSuspicious =
                tooManyImages || tooManyItems || tooManyInputs || tooShort || tooLinked || mostlyLinks || embedOnly || empty
        }
    }
}
