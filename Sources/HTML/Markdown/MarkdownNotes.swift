import Text

/// The footnotes of an article: the links that refer to notes, and the blocks that are notes.
///
/// A footnote reference is a link to a target in the article that is raised, or that is explicitly marked as a
/// reference. Its note is the block that starts at the target. A link without such a note stays an ordinary link.
struct MarkdownNotes {
    /// Labels by the node of the reference: the link, or the `sup` that contains nothing else.
    private(set) var labelOfReference: [NodeID: String] = [:]
    private(set) var labelOfNote: [NodeID: String] = [:]
    /// `sup` elements that contain references. Markdown raises references anyway.
    private(set) var raisedElements: Set<NodeID> = []
    /// Ids of the references, which back-links in notes point to.
    private var idsOfReferences: Set<String> = []

    /// Number of non-blank text nodes before each node, by row, and in the whole article. The content between two nodes
    /// is blank if these numbers are equal.
    private var textsBefore: [Int32] = []
    private var textCount: Int32 = 0
    /// Blocks that cannot be notes.
    private var rejected: Set<NodeID> = []
    /// The last number used as a label for a note without a usable label.
    private var lastNumber = 0

    private static let blocks: TagSet = [.li, .p, .div, .dd, .aside]
    private static let inline: TagSet = [.a, .sup, .span, .b, .strong, .i, .em, .small]

    init(_ document: Document, _ scope: NodeID, links: [NodeID]) {
        let references = links.compactMap { link in Self.target(of: link, in: document).map { (link, $0) } }
            .filter { Self.isReference($0.0, in: document) }
        guard !references.isEmpty else { return }
        let wanted = Set(references.map(\.1))
        var places: [String: NodeID] = [:]
        textsBefore = Array(repeating: 0, count: document.nodeCount)
        document.forEachNode(below: scope) { node in
            textsBefore[node.row] = textCount
            guard document.isElement(node) else {
                if document.isText(node), !document.isBlank(node) { textCount += 1 }
                return
            }
            for id in [document.attribute(node, .id), document.tag(node) == .a ? document.attribute(node, .name) : nil]
            {
                if let id, wanted.contains(id), places[id] == nil { places[id] = node }
            }
        }
        var aroundNotes: Set<NodeID> = []
        var labels: Set<String> = []
        for (link, id) in references {
            guard let place = places[id], let note = block(at: place, in: document, scope),
                !document.isInside(link, note),
                labelOfNote[note] != nil || isExtractable(note, in: document, scope, aroundNotes)
            else { continue }
            if labelOfNote[note] == nil {
                labelOfNote[note] = label(document.innerText(link), labels)
                for ancestor in document.ancestors(note) where !aroundNotes.insert(ancestor).inserted { break }
            }
            guard let label = labelOfNote[note] else { continue }
            labels.insert(label)
            add(link, label, in: document)
        }
        textsBefore = []
    }

    private mutating func add(_ link: NodeID, _ label: String, in document: Document) {
        let sup = document.parent(link).flatMap { document.tag($0) == .sup ? $0 : nil }
        var reference = link
        if let sup {
            raisedElements.insert(sup)
            if document.onlyChildElement(sup) == link, Self.hasNoWords(around: link, in: sup, document) {
                reference = sup
            }
        }
        labelOfReference[reference] = label
        let inner = document.onlyChildElement(link)
        for element in [link, sup, inner, document.parent(sup ?? link)].compactMap({ $0 }) {
            for id in [document.attribute(element, .id), document.attribute(element, .name)].compactMap({ $0 }) {
                idsOfReferences.insert(id)
            }
        }
    }

    /// How a back-link from a note to its reference is rendered; nil for other links.
    enum BackLinkStyle {
        /// An arrow or the note's own label: it is dropped, because Markdown parsers generate their own back-link.
        case label
        case text
    }

    func backLink(_ link: NodeID, in document: Document) -> BackLinkStyle? {
        guard !labelOfNote.isEmpty, let id = Self.target(of: link, in: document), idsOfReferences.contains(id),
            document.ancestors(link).contains(where: { labelOfNote[$0] != nil })
        else { return nil }
        let words = document.innerText(link).unicodeScalars.filter {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return words.count < 2 || words.allSatisfy { $0.properties.numericType != nil } ? .label : .text
    }

    // MARK: Recognition

    /// Returns the id that a link within the page points to.
    private static func target(of link: NodeID, in document: Document) -> String? {
        guard let address = document.attribute(link, .href), address.hasPrefix("#"), address.utf8.count > 1 else {
            return nil
        }
        return String(address.dropFirst())
    }

    private static func isReference(_ link: NodeID, in document: Document) -> Bool {
        if document.attribute(link, .role, is: "doc-noteref")
            || document.attribute(link, named: "epub:type") == "noteref"
        {
            return true
        }
        if let parent = document.parent(link), document.tag(parent) == .sup { return true }
        return document.onlyChildElement(link).map { document.tag($0) == .sup } ?? false
    }

    /// Returns the block that starts at a target.
    private func block(at place: NodeID, in document: Document, _ scope: NodeID) -> NodeID? {
        var current = place
        // Authors do not nest the target any deeper.
        for _ in 0..<4 {
            if Self.blocks.contains(document.tag(current)) { return current }
            // Moves up while the target is at the start of the enclosing element.
            guard Self.inline.contains(document.tag(current)), let parent = document.parent(current), parent != scope,
                textsBefore[parent.row] == textsBefore[current.row]
            else { return nil }
            current = parent
        }
        return nil
    }

    /// Whether a block can be extracted as a note: it is not blank, not inside another note, a table or a link, and
    /// contains no other note.
    private mutating func isExtractable(
        _ note: NodeID, in document: Document, _ scope: NodeID, _ aroundNotes: Set<NodeID>
    ) -> Bool {
        // A rejected block stays rejected, because the number of notes only grows.
        guard !rejected.contains(note) else { return false }
        let isExtractable =
            !aroundNotes.contains(note) && !isBlank(note, in: document, scope)
            && !document.ancestors(note).contains {
                labelOfNote[$0] != nil || MarkdownOutline.cells.contains(document.tag($0)) || document.tag($0) == .a
            }
        if !isExtractable { rejected.insert(note) }
        return isExtractable
    }

    private func isBlank(_ block: NodeID, in document: Document, _ scope: NodeID) -> Bool {
        let textsAfter = document.next(skipping: block, within: scope).map { textsBefore[$0.row] } ?? textCount
        return textsAfter == textsBefore[block.row]
    }

    private static func hasNoWords(around link: NodeID, in sup: NodeID, _ document: Document) -> Bool {
        document.allChildren(sup) { child in
            child == link
                || document.withText(child) { $0.allSatisfy { $0 < 0x80 && !MarkdownEscapes.isAlphanumeric($0) } }
        }
    }

    /// Returns the text of the reference if it is usable as a label and not taken; otherwise the next number.
    private mutating func label(_ text: String, _ taken: Set<String>) -> String {
        let written = String(decoding: text.utf8.filter(MarkdownEscapes.isAlphanumeric), as: UTF8.self)
        if (1...8).contains(written.utf8.count), text.utf8.count < 16, !taken.contains(written) { return written }
        // All numbers up to the last one are already taken.
        lastNumber = max(lastNumber, taken.count) + 1
        while taken.contains("\(lastNumber)") { lastNumber += 1 }
        return "\(lastNumber)"
    }
}
