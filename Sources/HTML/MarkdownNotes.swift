/// The footnotes of an article: the links that refer to notes, and the blocks that are notes.
///
/// A footnote reference is a link to a target in the article that is raised, or that is explicitly marked as a
/// reference. Its note is the block that starts at the target. A link without such a note stays an ordinary link.
struct MarkdownNotes {
    /// Labels by the node of the reference: the link, or the `sup` that contains nothing else.
    private(set) var labelOfMark: [NodeID: String] = [:]
    private(set) var labelOfNote: [NodeID: String] = [:]
    /// `sup` elements that contain references. Markdown raises references anyway.
    private(set) var raised: Set<NodeID> = []
    /// Ids of the references, which back-links in notes point to.
    private var idsOfMarks: Set<String> = []

    /// Number of non-blank text nodes before each node, by row, and in the whole article. The content between two nodes
    /// is blank if these numbers are equal.
    private var inkBefore: [Int32] = []
    private var ink: Int32 = 0
    /// Blocks that cannot be notes.
    private var refused: Set<NodeID> = []
    /// The last number used as a label for a note without a usable label.
    private var lastNumber = 0

    private static let blocks: TagSet = [.li, .p, .div, .dd, .aside]
    private static let inline: TagSet = [.a, .sup, .span, .b, .strong, .i, .em, .small]

    init(_ document: Document, _ scope: NodeID, links: [NodeID]) {
        let marks = links.compactMap { link in Self.target(of: link, in: document).map { (link, $0) } }
            .filter { Self.isMark($0.0, in: document) }
        guard !marks.isEmpty else { return }
        let wanted = Set(marks.map(\.1))
        var places: [String: NodeID] = [:]
        inkBefore = Array(repeating: 0, count: document.nodeCount)
        document.forEachNode(below: scope) { node in
            inkBefore[node.row] = ink
            guard document.isElement(node) else {
                if document.isText(node), !document.isBlank(node) { ink += 1 }
                return
            }
            for id in [document.attribute(node, .id), document.tag(node) == .a ? document.attribute(node, .name) : nil] {
                if let id, wanted.contains(id), places[id] == nil { places[id] = node }
            }
        }
        var aroundNotes: Set<NodeID> = []
        var labels: Set<String> = []
        for (link, id) in marks {
            guard let place = places[id], let note = block(at: place, in: document, scope),
                !document.isInside(link, note), labelOfNote[note] != nil || isApart(note, in: document, scope, aroundNotes)
            else { continue }
            if labelOfNote[note] == nil {
                labelOfNote[note] = label(document.innerText(link), labels)
                for ancestor in document.ancestors(note) where !aroundNotes.insert(ancestor).inserted { break }
            }
            guard let label = labelOfNote[note] else { continue }
            labels.insert(label)
            add(link, label, in: document)
        }
        inkBefore = []
    }

    private mutating func add(_ link: NodeID, _ label: String, in document: Document) {
        let sup = document.parent(link).flatMap { document.tag($0) == .sup ? $0 : nil }
        var mark = link
        if let sup {
            raised.insert(sup)
            if document.onlyChildElement(sup) == link, Self.hasNoWords(around: link, in: sup, document) { mark = sup }
        }
        labelOfMark[mark] = label
        let inner = document.onlyChildElement(link)
        for element in [link, sup, inner, document.parent(sup ?? link)].compactMap({ $0 }) {
            for id in [document.attribute(element, .id), document.attribute(element, .name)].compactMap({ $0 }) {
                idsOfMarks.insert(id)
            }
        }
    }

    /// How a back-link from a note to its reference is rendered; nil for other links.
    enum WayBack {
        /// An arrow or the note's own label: it is dropped, because Markdown parsers generate their own back-link.
        case sign
        case words
    }

    func wayBack(_ link: NodeID, in document: Document) -> WayBack? {
        guard !labelOfNote.isEmpty, let id = Self.target(of: link, in: document), idsOfMarks.contains(id),
            document.ancestors(link).contains(where: { labelOfNote[$0] != nil })
        else { return nil }
        let words = document.innerText(link).unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return words.count < 2 || words.allSatisfy { $0.properties.numericType != nil } ? .sign : .words
    }

    // MARK: Recognition

    /// Returns the id that a link within the page points to.
    private static func target(of link: NodeID, in document: Document) -> String? {
        guard let address = document.attribute(link, .href), address.hasPrefix("#"), address.utf8.count > 1 else { return nil }
        return String(address.dropFirst())
    }

    private static func isMark(_ link: NodeID, in document: Document) -> Bool {
        if document.attribute(link, .role, is: "doc-noteref") || document.attribute(link, named: "epub:type") == "noteref" {
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
                inkBefore[parent.row] == inkBefore[current.row]
            else { return nil }
            current = parent
        }
        return nil
    }

    /// Whether a block can be extracted as a note: it is not blank, not inside another note, a table or a link, and
    /// contains no other note.
    private mutating func isApart(_ note: NodeID, in document: Document, _ scope: NodeID, _ aroundNotes: Set<NodeID>) -> Bool {
        // A rejected block stays rejected, because the number of notes only grows.
        guard !refused.contains(note) else { return false }
        let isApart =
            !aroundNotes.contains(note) && !isBlank(note, in: document, scope)
            && !document.ancestors(note).contains {
                labelOfNote[$0] != nil || MarkdownOutline.cells.contains(document.tag($0)) || document.tag($0) == .a
            }
        if !isApart { refused.insert(note) }
        return isApart
    }

    private func isBlank(_ block: NodeID, in document: Document, _ scope: NodeID) -> Bool {
        let inkBehind = document.next(skipping: block, within: scope).map { inkBefore[$0.row] } ?? ink
        return inkBehind == inkBefore[block.row]
    }

    private static func hasNoWords(around link: NodeID, in sup: NodeID, _ document: Document) -> Bool {
        document.allChildren(sup) { child in
            child == link || document.withText(child) { $0.allSatisfy { $0 < 0x80 && !MarkdownEscapes.isAlphanumeric($0) } }
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
