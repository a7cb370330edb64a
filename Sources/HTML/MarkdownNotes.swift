/// The footnotes of an article: which links are marks of notes, and which blocks are the notes.
///
/// A mark is a link to a place in the article that is raised, or says of itself that it is one; its note is the block at whose
/// beginning that place is. A link that has no such note is a link.
struct MarkdownNotes {
    /// Labels by what stands for the mark: the link, or the `sup` that holds nothing else.
    private(set) var labelOfMark: [NodeID: String] = [:]
    private(set) var labelOfNote: [NodeID: String] = [:]
    /// Raised elements that hold marks, which are raised anyway.
    private(set) var raised: Set<NodeID> = []
    /// Ids of the marks, to which notes lead back.
    private var idsOfMarks: Set<String> = []

    /// How many texts with something to read come before each node, by its row, and in the whole of the article: what lies
    /// between two places is blank where these are equal.
    private var inkBefore: [Int32] = []
    private var ink: Int32 = 0
    /// Blocks that are no notes.
    private var refused: Set<NodeID> = []
    /// The number that was last a label for want of a better one.
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

    /// How a link inside of a note that leads back to a mark is to be taken; nil for another link.
    enum WayBack {
        /// An arrow, or the note's own mark: Markdown's parsers make one of their own.
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

    // MARK: Recognising

    /// The id that a link within the page leads to.
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

    /// The block that begins at a place.
    private func block(at place: NodeID, in document: Document, _ scope: NodeID) -> NodeID? {
        var current = place
        // A note that begins deeper inside is none that people write.
        for _ in 0..<4 {
            if Self.blocks.contains(document.tag(current)) { return current }
            // Up to where the place is the beginning of what is around it.
            guard Self.inline.contains(document.tag(current)), let parent = document.parent(current), parent != scope,
                inkBefore[parent.row] == inkBefore[current.row]
            else { return nil }
            current = parent
        }
        return nil
    }

    /// Whether a block can be taken out as a note: it says something, lies in no other note and no table, and holds no other note.
    private mutating func isApart(_ note: NodeID, in document: Document, _ scope: NodeID, _ aroundNotes: Set<NodeID>) -> Bool {
        // What is not apart never will be: notes only become more.
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

    /// What the mark says, if it can be a label and is not another note's; else the next number.
    private mutating func label(_ text: String, _ taken: Set<String>) -> String {
        let written = String(decoding: text.utf8.filter(MarkdownEscapes.isAlphanumeric), as: UTF8.self)
        if (1...8).contains(written.utf8.count), text.utf8.count < 16, !taken.contains(written) { return written }
        // All up to the last one were taken already.
        lastNumber = max(lastNumber, taken.count) + 1
        while taken.contains("\(lastNumber)") { lastNumber += 1 }
        return "\(lastNumber)"
    }
}
