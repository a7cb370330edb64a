import HTML

/// Counts of a box's content, made in one walk. On a deeply nested page every box inside every other is counted, so
/// each walk matters.
struct ElementStatistics {
    private(set) var text = TextMeasure()
    private(set) var paragraphs = 0
    private(set) var images = 0
    private(set) var items = 0
    private(set) var inputs = 0
    private(set) var embeds = 0
    /// At least one of the embeds is a known video player.
    private(set) var hasKnownVideo = false
    /// Some text lies inside a descendant that usually contains text (``Vocabulary/textElements``).
    private(set) var hasTextInTextElement = false
    /// Text lengths of the headings and lists inside. Nested ones count repeatedly.
    private(set) var headingLength = 0
    private(set) var listLength = 0
    /// Length of link text. Links within the page count less.
    private(set) var linkedLength = 0.0

    private enum Part {
        case link(factor: Double)
        case heading, list, textElement
    }

    /// An ancestor of the current node whose text is measured.
    private struct OpenElement {
        let node: NodeID
        let part: Part
        /// Length of the box's text before the element's own text. nil until the element has text.
        var start: Int?
    }

    /// - Parameter enoughCommas: the walk stops after this many commas, because the rest cannot change the result.
    init(of box: NodeID, in document: Document, enoughCommas: Int = .max) {
        var open: [OpenElement] = []
        var started = 0
        var current = document.firstChild(box)
        while let node = current, text.asciiCommas < enoughCommas {
            if document.isText(node) {
                document.withText(node) { bytes in
                    guard let start = text.lengthBeforeVisibleText(of: bytes) else { return text.add(bytes) }
                    for index in started..<open.count { open[index].start = start }
                    started = open.count
                    text.add(bytes)
                }
            } else if let part = count(node, in: document), document.firstChild(node) != nil {
                open.append(OpenElement(node: node, part: part))
            }
            if let child = document.firstChild(node) {
                current = child
                continue
            }
            current = nil
            var ending = node
            while ending != box {
                if open.last?.node == ending, let closed = open.popLast() {
                    close(closed)
                    started = min(started, open.count)
                }
                if let sibling = document.nextSibling(ending) {
                    current = sibling
                    break
                }
                guard let parent = document.parent(ending) else { break }
                ending = parent
            }
        }
    }

    var linkDensity: Double { text.length == 0 ? 0 : linkedLength / Double(text.length) }
    var headingDensity: Double { text.length == 0 ? 0 : Double(headingLength) / Double(text.length) }
    /// More than 90 % of the text lies in lists.
    var isMostlyLists: Bool { Double(listLength) / Double(text.length) > 0.9 }

    /// Counts an element. Returns the part that its text is measured as; nil if it is not measured.
    private mutating func count(_ node: NodeID, in document: Document) -> Part? {
        let tag = document.localTag(node)
        switch tag {
        case .a:
            let isWithinPage = document.withBytes(node, .href) { $0.count > 1 && $0[0] == UInt8(ascii: "#") }
            return .link(factor: isWithinPage ? 0.3 : 1)
        case .h1, .h2, .h3, .h4, .h5, .h6: return .heading
        case .ul, .ol: return .list
        case .p: paragraphs += 1
        case .img: images += 1
        case .li: items += 1
        case .input: inputs += 1
        case .object, .embed, .iframe:
            embeds += 1
            if !hasKnownVideo { hasKnownVideo = document.embedsKnownVideo(node) }
        default: break
        }
        return !hasTextInTextElement && Vocabulary.textElements.contains(tag) ? .textElement : nil
    }

    private mutating func close(_ element: OpenElement) {
        guard let start = element.start else { return }
        let length = text.length - start
        switch element.part {
        case .link(let factor): linkedLength += Double(length) * factor
        case .heading: headingLength += length
        case .list:
            listLength += length
            hasTextInTextElement = true
        case .textElement: hasTextInTextElement = true
        }
    }
}
