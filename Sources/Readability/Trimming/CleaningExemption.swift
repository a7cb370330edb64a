import HTML

/// Exempts a box that Readability's rules remove if a reader would miss its text: sentences outside links, or a
/// heading.
enum CleaningExemption {
    /// The minimum number of words outside links. They must include a sentence.
    private static let minWords = 12
    private static let largestLinkShare = 0.33

    static func applies(to box: NodeID, in document: Document) -> Bool {
        let hints = BlockHints.of(box, in: document)
        guard hints.isDisjoint(with: BlockHints.foreign.union([.author, .meta, .caption, .unseen])) else {
            return false
        }
        var plain = TextScan()
        var linked = TextLength()
        var headings = 0
        var current = document.firstChild(box)
        while let node = current {
            let tag = document.tag(node)
            switch tag {
            case .input, .textarea, .select, .button: return false
            case .a:
                linked.add(length(of: node, in: document))
                plain.endWord()
                current = document.next(skipping: node, within: box)
                continue
            case .h1, .h2, .h3, .h4, .h5, .h6: headings += 1
            default: break
            }
            if TextRenderer.blocks.contains(tag) { plain.endWord() }
            document.withText(node) { plain.add($0, isNote: false) }
            current = document.next(after: node, within: box)
        }
        let words = plain.length.words
        guard words > 0, Double(linked.units) <= Double(plain.length.units + linked.units) * largestLinkShare else {
            return false
        }
        if headings == 1, let heading = document.first(headingTags, below: box),
            length(of: heading, in: document).units >= plain.length.units
        {
            return true
        }
        return words >= minWords && (plain.ending == .sentence || plain.innerSentences > 0)
    }

    private static let headingTags: TagSet = [.h1, .h2, .h3, .h4, .h5, .h6]

    private static func length(of node: NodeID, in document: Document) -> TextLength {
        var scan = TextScan()
        document.forEachText(in: node) { scan.add($0, isNote: false) }
        return scan.length
    }
}
