extension Document {
    // MARK: Making nodes (they belong to no parent yet)

    public mutating func makeElement(_ tag: Tag) -> NodeID {
        addRow(.html, name: tag.rawValue, extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// An HTML element of any name.
    public mutating func makeElement(named name: String) -> NodeID {
        addRow(.html, name: elementNames.code(of: name), extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// An element of MathML.
    mutating func makeMathElement(_ name: String) -> NodeID {
        addRow(.math, name: elementNames.code(of: name), extent: Extent(start: UInt32(attributes.count), count: 0))
    }

    /// A formula of which only the TeX is known: MathML that shows it as it is written.
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

    /// Keeps bytes in the arena. A document's text may not exceed 4 GB: whoever adds more than a few times the page's own
    /// bytes has to bound it.
    mutating func store(_ text: some Sequence<UInt8>) -> Extent {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return Extent(start: UInt32(start), count: UInt32(bytes.count - start))
    }

    // MARK: Moving nodes

    /// Takes a node out of its parent; what is below it stays with it.
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

    /// Puts a node at the end of a parent, from wherever it was. The node must not be an ancestor of the parent.
    public mutating func append(_ node: NodeID, to parent: NodeID) {
        detach(node)
        let last = links[parent.row].last
        links[node.row].parent = parent.index
        links[node.row].previous = last
        if last >= 0 { links[Int(last)].next = node.index } else { links[parent.row].first = node.index }
        links[parent.row].last = node.index
    }

    /// Puts a node before a sibling, from wherever it was; a sibling without parent is left alone.
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

    /// Puts `replacement`, which may lie inside `node`, in the place of `node`.
    public mutating func replace(_ node: NodeID, with replacement: NodeID) {
        guard node != replacement else { return }
        insert(replacement, before: node)
        detach(node)
    }

    /// Puts a node's children in its place.
    public mutating func unwrap(_ node: NodeID) {
        while let child = firstChild(node) { insert(child, before: node) }
        detach(node)
    }

    public mutating func moveChildren(of node: NodeID, to parent: NodeID) {
        while let child = firstChild(node) { append(child, to: parent) }
    }

    /// Gives an element another name and keeps its attributes, children and place; it becomes an HTML element.
    public mutating func rename(_ node: NodeID, to tag: Tag) {
        kinds[node.row] = .html
        names[node.row] = tag.rawValue
    }
}
