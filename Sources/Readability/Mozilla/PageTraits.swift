import HTML

// Properties of nodes that the rules use.
extension Document {
    /// Returns class and id as one text. In browsers an SVG element's class is not a string, so it is ignored here.
    func classAndID(_ node: NodeID) -> [UInt8] {
        var text: [UInt8] = []
        if !isSVG(node) { withBytes(node, .class) { text.append(contentsOf: $0) } }
        text.append(0x20)
        withBytes(node, .id) { text.append(contentsOf: $0) }
        return text
    }

    /// Returns the next element in document order, descendants of `node` first.
    func nextElementInOrder(after node: NodeID) -> NodeID? {
        firstChildElement(node) ?? nextElementInOrder(skipping: node)
    }

    /// Returns the next element in document order that is not inside `node`.
    func nextElementInOrder(skipping node: NodeID) -> NodeID? {
        var current: NodeID? = node
        while let here = current {
            if let sibling = nextElement(here) { return sibling }
            current = parent(here)
        }
        return nil
    }

    /// Detaches a node. Returns the element from which the walk continues.
    mutating func removeAndContinue(_ node: NodeID) -> NodeID? {
        let next = nextElementInOrder(skipping: node)
        detach(node)
        return next
    }

    /// Returns the first node from `start` on, among its siblings, that is not blank text.
    func firstNonBlank(from start: NodeID?) -> NodeID? {
        var current = start
        while let node = current, !isElement(node), isBlank(node) { current = nextSibling(node) }
        return current
    }

    /// Whether the node is blank text or a line break.
    func isSpace(_ node: NodeID) -> Bool { isText(node) ? isBlank(node) : tag(node) == .br }

    /// Whether the node is running text: text, an inline element, or a link whose content is phrasing.
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

    /// Whether the node's only child element has this tag and no text ends in anything but white space.
    func holdsOnly(_ wanted: Tag, _ node: NodeID) -> Bool {
        guard let child = onlyChildElement(node), tag(child) == wanted else { return false }
        return allChildren(node) { !endsInVisibleText($0) }
    }

    /// Whether the node has no text, and no elements except line breaks and rules.
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

    /// The share of the text that is link text. Links within the page, such as footnotes and tables of contents, count
    /// less.
    func linkDensity(_ node: NodeID) -> Double { ElementStatistics(of: node, in: self).linkDensity }

    /// Whether one of the nearest ancestors (the parent and `levels` above it) has this tag and passes the test.
    func hasAncestor(
        _ wanted: Tag, _ node: NodeID, levels: Int = 3, where test: (NodeID) -> Bool = { _ in true }
    )
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

    /// Whether the element's own style and attributes leave it displayed and visible.
    func isProbablyVisible(_ node: NodeID) -> Bool {
        isShown(node) { $0.takesNoRoom || $0.makesInvisible }
    }

    /// Whether the element's own style and attributes leave it displayed.
    func isProbablyShown(_ node: NodeID) -> Bool { isShown(node) { $0.takesNoRoom } }

    /// Fallback images of formulas are hidden from screen readers only.
    private func isShown(_ node: NodeID, unless isHiding: (InlineStyle) -> Bool) -> Bool {
        if has(node, .hidden) { return false }
        if let style = attribute(node, .style), isHiding(InlineStyle(style)) { return false }
        guard attribute(node, .ariaHidden, is: "true") else { return true }
        return !isSVG(node) && (attribute(node, .class) ?? "").contains("fallback-image")
    }

    /// Returns the length in UTF-16 code units of the text without white space at its ends, or `limit` if it is at
    /// least that long.
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
                        // Every white-space character is one code unit, however many bytes it has.
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

    /// Whether an attribute contains the URL of a video player whose embed is kept.
    func embedsKnownVideo(_ node: NodeID) -> Bool {
        allAttributes(node).contains { VideoAddress.isMentioned(in: $0.value) }
    }
}

extension Document {
    mutating func dropSpaceAtEnd(of node: NodeID) {
        while let last = lastChild(node), isSpace(last) { detach(last) }
    }

    mutating func dropSpaceAtStart(of node: NodeID) {
        while let first = firstChild(node), isSpace(first) { detach(first) }
    }
}
