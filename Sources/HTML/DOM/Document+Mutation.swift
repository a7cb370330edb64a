extension Document {
    // MARK: Creating nodes (without a parent)

    public mutating func makeElement(_ tag: Tag) -> NodeID {
        addRow(.html, name: tag.rawValue, extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// Creates an HTML element with any name.
    public mutating func makeElement(named name: String) -> NodeID {
        addRow(.html, name: elementNames.code(of: name), extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// Creates a MathML element.
    mutating func makeMathElement(_ name: String) -> NodeID {
        addRow(.math, name: elementNames.code(of: name), extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// Creates MathML that shows TeX source as plain text, for a formula of which only the TeX is known.
    public mutating func makeFormula(_ tex: String, isDisplay: Bool) -> NodeID {
        let formula = makeMathElement("math")
        if isDisplay { set(formula, named: "display", to: "block") }
        set(formula, named: "alttext", to: tex)
        let text = makeMathElement("mtext")
        append(makeText(tex), to: text)
        append(text, to: formula)
        return formula
    }

    public mutating func makeText(_ text: some Sequence<UInt8>) -> NodeID {
        addRow(.text, name: Tag.none.rawValue, extent: store(text))
    }

    public mutating func makeText(_ text: String) -> NodeID { makeText(text.utf8) }

    /// Stores bytes in the arena. A document's text must not exceed 4 GB; a caller that adds more than a few times the
    /// page's own size must enforce a limit.
    mutating func store(_ text: some Sequence<UInt8>) -> Extent {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return Extent(start: UInt32(start), count: UInt32(bytes.count - start))
    }

    // MARK: Moving nodes

    /// Removes a node from its parent. The node keeps its descendants.
    public mutating func detach(_ node: NodeID) {
        let own = links[node.row]
        guard own.parent >= 0 else { return }
        if own.previous >= 0 {
            links[Int(own.previous)].next = own.next
        } else {
            links[Int(own.parent)].first = own.next
        }
        if own.next >= 0 {
            links[Int(own.next)].previous = own.previous
        } else {
            links[Int(own.parent)].last = own.previous
        }
        links[node.row].parent = -1
        links[node.row].previous = -1
        links[node.row].next = -1
    }

    /// Moves a node to the end of a parent's children. The node must not be an ancestor of the parent.
    public mutating func append(_ node: NodeID, to parent: NodeID) {
        detach(node)
        let last = links[parent.row].last
        links[node.row].parent = parent.index
        links[node.row].previous = last
        if last >= 0 { links[Int(last)].next = node.index } else { links[parent.row].first = node.index }
        links[parent.row].last = node.index
    }

    /// Moves a node before a sibling. Does nothing if the sibling has no parent.
    public mutating func insert(_ node: NodeID, before sibling: NodeID) {
        guard node != sibling, links[sibling.row].parent >= 0 else { return }
        detach(node)
        let previous = links[sibling.row].previous
        links[node.row].parent = links[sibling.row].parent
        links[node.row].previous = previous
        links[node.row].next = sibling.index
        links[sibling.row].previous = node.index
        if previous >= 0 {
            links[Int(previous)].next = node.index
        } else {
            links[Int(links[sibling.row].parent)].first = node.index
        }
    }

    /// Replaces `node` with `replacement`, which may be a descendant of `node`.
    public mutating func replace(_ node: NodeID, with replacement: NodeID) {
        guard node != replacement else { return }
        insert(replacement, before: node)
        detach(node)
    }

    /// Replaces a node with its children.
    public mutating func unwrap(_ node: NodeID) {
        while let child = firstChild(node) { insert(child, before: node) }
        detach(node)
    }

    public mutating func moveChildren(of node: NodeID, to parent: NodeID) {
        while let child = firstChild(node) { append(child, to: parent) }
    }

    /// Changes an element's name; its attributes, children and position stay. It becomes an HTML element.
    public mutating func rename(_ node: NodeID, to tag: Tag) {
        kinds[node.row] = .html
        names[node.row] = tag.rawValue
    }
}
