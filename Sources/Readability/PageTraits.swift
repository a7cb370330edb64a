import HTML

// What the rules ask of a node.
extension Document {
    /// Class and id as one text. Browsers give SVG elements no class text, so these have none here.
    func classAndID(_ node: NodeID) -> [UInt8] {
        var text: [UInt8] = []
        if !isSVG(node) { withBytes(node, .class) { text.append(contentsOf: $0) } }
        text.append(0x20)
        withBytes(node, .id) { text.append(contentsOf: $0) }
        return text
    }

    /// Next element in document order, going into `node` first.
    func nextElementInOrder(after node: NodeID) -> NodeID? {
        firstChildElement(node) ?? nextElementInOrder(skipping: node)
    }

    /// Next element in document order that does not lie in `node`.
    func nextElementInOrder(skipping node: NodeID) -> NodeID? {
        var current: NodeID? = node
        while let here = current {
            if let sibling = nextElement(here) { return sibling }
            current = parent(here)
        }
        return nil
    }

    /// Detaches a node and answers where the walk goes on.
    mutating func removeAndGoOn(_ node: NodeID) -> NodeID? {
        let next = nextElementInOrder(skipping: node)
        detach(node)
        return next
    }

    /// The first node from `start` on, among its siblings, that is no blank text.
    func firstInky(from start: NodeID?) -> NodeID? {
        var current = start
        while let node = current, !isElement(node), isBlank(node) { current = nextSibling(node) }
        return current
    }

    /// Blank text, or a line break.
    func isSpace(_ node: NodeID) -> Bool { isText(node) ? isBlank(node) : tag(node) == .br }

    /// Running text: texts, inline elements, links made of such.
    func isPhrasing(_ node: NodeID) -> Bool {
        var current: NodeID? = node
        while let here = current {
            if isText(here) || Vocabulary.phrasing.contains(tag(here)) {
                current = next(skipping: here, within: node)
            } else if Vocabulary.phrasingByContent.contains(tag(here)) {
                current = next(after: here, within: node)
            } else {
                return false
            }
        }
        return true
    }

    /// Whether the only element inside is one of this name, with no text beside it but such that ends in white space.
    func holdsOnly(_ wanted: Tag, _ node: NodeID) -> Bool {
        guard let child = onlyChildElement(node), tag(child) == wanted else { return false }
        return allChildren(node) { !endsInVisibleText($0) }
    }

    /// No text, and no elements but line breaks and rules.
    func isWithoutContent(_ node: NodeID) -> Bool {
        guard isBlank(node) else { return false }
        guard firstChildElement(node) != nil else { return true }
        return childElements(node).count == count([.br, .hr], below: node)
    }

    func hasBlockInside(_ node: NodeID) -> Bool {
        var current = firstChild(node)
        while let here = current {
            if Vocabulary.blocks.contains(tag(here)) { return true }
            current = next(after: here, within: node)
        }
        return false
    }

    /// Share of the text that is link text. Links within the page count less: footnotes and tables of contents.
    func linkDensity(_ node: NodeID) -> Double { ElementStatistics(of: node, in: self).linkDensity }

    /// Whether one of the nearest ancestors (the parent and `levels` above it) has this name and satisfies a test.
    func hasAncestor(_ wanted: Tag, _ node: NodeID, levels: Int = 3, where test: (NodeID) -> Bool = { _ in true })
        -> Bool
    {
        var current = parent(node)
        var level = 0
        while let ancestor = current, level <= levels {
            if tag(ancestor) == wanted && test(ancestor) { return true }
            current = parent(ancestor)
            level += 1
        }
        return false
    }

    /// Takes room on the page and is not invisible there, by its own style and attributes.
    func isProbablyVisible(_ node: NodeID) -> Bool {
        isShown(node) { $0.takesNoRoom || $0.makesInvisible }
    }

    /// Takes room on the page.
    func isProbablyShown(_ node: NodeID) -> Bool { isShown(node) { $0.takesNoRoom } }

    /// Images that stand in for formulas are hidden from screen readers only.
    private func isShown(_ node: NodeID, unless isHiding: (InlineStyle) -> Bool) -> Bool {
        if has(node, .hidden) { return false }
        if let style = attribute(node, .style), isHiding(InlineStyle(style)) { return false }
        guard attribute(node, .ariaHidden, is: "true") else { return true }
        return !isSVG(node) && (attribute(node, .class) ?? "").contains("fallback-image")
    }

    /// UTF-16 code units of the text without white space at its ends; `limit` for every text that is as long or longer.
    func trimmedLength(_ node: NodeID, countingTo limit: Int) -> Int {
        var length = 0
        var spaces = 0
        var current: NodeID? = node
        while let here = current, length < limit {
            withText(here) { text in
                var index = 0
                while index < text.count, length < limit {
                    let space = WhiteSpace.length(in: text, at: index)
                    if space > 0 {
                        // Every character of white space is one unit, whatever its bytes.
                        if length > 0 { spaces += 1 }
                        index += space
                        continue
                    }
                    if text[index] & 0xC0 != 0x80 {
                        length += spaces + (text[index] >= 0xF0 ? 2 : 1)
                        spaces = 0
                    }
                    index += 1
                }
            }
            current = next(after: here, within: node)
        }
        return min(length, limit)
    }

    /// Whether an attribute names one of the video players whose embedding is kept.
    func embedsKnownVideo(_ node: NodeID) -> Bool {
        allAttributes(node).contains { VideoAddress.isMentioned(in: $0.value) }
    }
}

/// The two properties of a `style` attribute that hide an element.
struct InlineStyle {
    private(set) var takesNoRoom = false
    private(set) var makesInvisible = false

    init(_ style: String) {
        var display = ""
        var visibility = ""
        for declaration in style.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = WhiteSpace.trim(parts[1].lowercased().upTo("!important"))
            switch WhiteSpace.trim(String(parts[0])).lowercased() {
            case "display": display = value
            case "visibility": visibility = value
            default: break
            }
        }
        takesNoRoom = display == "none"
        makesInvisible = visibility == "hidden"
    }
}

extension String {
    /// The text up to a mark, or all of it.
    fileprivate func upTo(_ mark: String) -> String {
        guard let cut = firstOccurrence(of: mark) else { return self }
        return String(self[..<cut])
    }

    private func firstOccurrence(of mark: String) -> Index? {
        indices.first { self[$0...].hasPrefix(mark) }
    }
}

/// Addresses of the video players we know.
enum VideoAddress {
    static func isMentioned(in text: String) -> Bool {
        let bytes = text.utf8.map(lowercased)
        for index in bytes.indices.dropLast()
        where bytes[index] == UInt8(ascii: "/") && bytes[index + 1] == UInt8(ascii: "/") {
            var rest = bytes[(index + 2)...]
            if rest.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
            if Vocabulary.videoHosts.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }
}
