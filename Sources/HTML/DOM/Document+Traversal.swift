// Traversal. Each function is a loop over sibling and parent links.
extension Document {
    /// Returns the node after `node` in document order, descending into `node`; nil at the end of `scope`.
    public func next(after node: NodeID, within scope: NodeID) -> NodeID? {
        firstChild(node) ?? next(skipping: node, within: scope)
    }

    /// Returns the node after `node` in document order, skipping its descendants; nil at the end of `scope`.
    public func next(skipping node: NodeID, within scope: NodeID) -> NodeID? {
        var current = node
        while current != scope {
            if let sibling = nextSibling(current) { return sibling }
            guard let parent = parent(current) else { return nil }
            current = parent
        }
        return nil
    }

    /// Calls `body` with each node below `scope`, in document order.
    public func forEachNode(below scope: NodeID, _ body: (NodeID) -> Void) {
        var current = firstChild(scope)
        while let node = current {
            body(node)
            current = next(after: node, within: scope)
        }
    }

    /// Returns the elements below `scope` that satisfy a test, in document order. Later changes to the document do not
    /// affect the list.
    public func elements(below scope: NodeID, where matches: (NodeID) -> Bool) -> [NodeID] {
        var found: [NodeID] = []
        forEachNode(below: scope) { if isElement($0) && matches($0) { found.append($0) } }
        return found
    }

    /// Returns the elements below `scope` whose names are in a set, in any namespace, as `querySelectorAll` does.
    public func elements(_ tags: TagSet, below scope: NodeID) -> [NodeID] {
        var found: [NodeID] = []
        var current = nextRow(from: links[scope.row].first, scope) { tags.contains(code: $0) }
        while current >= 0 {
            found.append(NodeID(current))
            current = nextRow(from: rowAfter(current, scope), scope) { tags.contains(code: $0) }
        }
        return found
    }

    /// Returns the first row at or after `start`, in document order, that is an element whose name satisfies a test; -1
    /// if there is none. Most traversals look for elements; this one creates no values on the way.
    @inline(__always)
    private func nextRow(from start: Int32, _ scope: NodeID, where matches: (UInt32) -> Bool) -> Int32 {
        var row = start
        while row >= 0 {
            if kinds[Int(row)].isElement, matches(names[Int(row)]) { return row }
            row = rowAfter(row, scope)
        }
        return -1
    }

    @inline(__always)
    private func rowAfter(_ row: Int32, _ scope: NodeID) -> Int32 {
        var link = links[Int(row)]
        if link.first >= 0 { return link.first }
        var current = row
        while current != scope.index {
            if link.next >= 0 { return link.next }
            guard link.parent >= 0 else { return -1 }
            current = link.parent
            link = links[Int(current)]
        }
        return -1
    }

    /// Returns the first element below `scope` whose name is in a set.
    public func first(_ tags: TagSet, below scope: NodeID) -> NodeID? {
        let row = nextRow(from: links[scope.row].first, scope) { tags.contains(code: $0) }
        return row < 0 ? nil : NodeID(row)
    }

    public func contains(_ tags: TagSet, below scope: NodeID) -> Bool { first(tags, below: scope) != nil }

    public func count(_ tags: TagSet, below scope: NodeID) -> Int {
        var count = 0
        var current = nextRow(from: links[scope.row].first, scope) { tags.contains(code: $0) }
        while current >= 0 {
            count += 1
            current = nextRow(from: rowAfter(current, scope), scope) { tags.contains(code: $0) }
        }
        return count
    }

    // MARK: Children

    public func children(_ node: NodeID) -> [NodeID] {
        var children: [NodeID] = []
        var current = firstChild(node)
        while let child = current {
            children.append(child)
            current = nextSibling(child)
        }
        return children
    }

    public func childElements(_ node: NodeID) -> [NodeID] { children(node).filter(isElement) }

    public func firstChildElement(_ node: NodeID) -> NodeID? { elementFrom(firstChild(node)) }
    public func nextElement(_ node: NodeID) -> NodeID? { elementFrom(nextSibling(node)) }

    public func previousElement(_ node: NodeID) -> NodeID? {
        var current = previousSibling(node)
        while let sibling = current, !isElement(sibling) { current = previousSibling(sibling) }
        return current
    }

    /// Returns the child element if there is exactly one; text nodes around it do not matter.
    public func onlyChildElement(_ node: NodeID) -> NodeID? {
        guard let child = firstChildElement(node), nextElement(child) == nil else { return nil }
        return child
    }

    public func allChildren(_ node: NodeID, satisfy test: (NodeID) -> Bool) -> Bool {
        var current = firstChild(node)
        while let child = current {
            guard test(child) else { return false }
            current = nextSibling(child)
        }
        return true
    }

    private func elementFrom(_ start: NodeID?) -> NodeID? {
        var current = start
        while let node = current, !isElement(node) { current = nextSibling(node) }
        return current
    }

    // MARK: Ancestors

    /// Returns the ancestors, starting with the parent, at most `limit` of them.
    public func ancestors(_ node: NodeID, limit: Int = .max) -> [NodeID] {
        var ancestors: [NodeID] = []
        var current = parent(node)
        while let ancestor = current, ancestors.count < limit {
            ancestors.append(ancestor)
            current = parent(ancestor)
        }
        return ancestors
    }

    /// Whether `node` is `other` or a descendant of it.
    public func isInside(_ node: NodeID, _ other: NodeID) -> Bool {
        var current: NodeID? = node
        while let inner = current {
            if inner == other { return true }
            current = parent(inner)
        }
        return false
    }

    // MARK: Main elements

    public var html: NodeID? { childElements(root).first { localTag($0) == .html } }
    public var head: NodeID? { html.flatMap { html in childElements(html).first { tag($0) == .head } } }

    /// The `body`, or the `frameset` that replaces it.
    public var body: NodeID? {
        html.flatMap { html in childElements(html).first { tag($0) == .body || tag($0) == .frameset } }
    }
}
