// Walks: all are loops over sibling and parent links.
extension Document {
    /// The next node in document order below `scope`, going into `node` first.
    public func next(after node: NodeID, within scope: NodeID) -> NodeID? {
        firstChild(node) ?? next(skipping: node, within: scope)
    }

    /// The next node in document order below `scope` that does not lie in `node`.
    public func next(skipping node: NodeID, within scope: NodeID) -> NodeID? {
        var current = node
        while current != scope {
            if let sibling = nextSibling(current) { return sibling }
            guard let parent = parent(current) else { return nil }
            current = parent
        }
        return nil
    }

    /// Calls `body` with every node below `scope`, in document order.
    public func forEachNode(below scope: NodeID, _ body: (NodeID) -> Void) {
        var current = firstChild(scope)
        while let node = current {
            body(node)
            current = next(after: node, within: scope)
        }
    }

    /// The elements below `scope` that satisfy a test, in document order; a list that later changes do not touch.
    public func elements(below scope: NodeID, where matches: (NodeID) -> Bool) -> [NodeID] {
        var found: [NodeID] = []
        forEachNode(below: scope) { if isElement($0) && matches($0) { found.append($0) } }
        return found
    }

    /// The elements of some names below `scope`, in any namespace, as `querySelectorAll` finds them.
    public func elements(_ tags: TagSet, below scope: NodeID) -> [NodeID] {
        elements(below: scope) { tags.contains(localTag($0)) }
    }

    /// The first element of some names below `scope`.
    public func first(_ tags: TagSet, below scope: NodeID) -> NodeID? {
        var current = firstChild(scope)
        while let node = current {
            if tags.contains(localTag(node)) { return node }
            current = next(after: node, within: scope)
        }
        return nil
    }

    public func contains(_ tags: TagSet, below scope: NodeID) -> Bool { first(tags, below: scope) != nil }

    public func count(_ tags: TagSet, below scope: NodeID) -> Int {
        var count = 0
        forEachNode(below: scope) { if tags.contains(localTag($0)) { count += 1 } }
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

    /// The element child when there is exactly one, whatever text lies around it.
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

    /// The ancestors from the parent upwards, at most `limit` of them.
    public func ancestors(_ node: NodeID, limit: Int = .max) -> [NodeID] {
        var ancestors: [NodeID] = []
        var current = parent(node)
        while let ancestor = current, ancestors.count < limit {
            ancestors.append(ancestor)
            current = parent(ancestor)
        }
        return ancestors
    }

    /// Whether `node` lies in `other`, or is it.
    public func isInside(_ node: NodeID, _ other: NodeID) -> Bool {
        var current: NodeID? = node
        while let inner = current {
            if inner == other { return true }
            current = parent(inner)
        }
        return false
    }

    // MARK: The page's parts

    public var html: NodeID? { childElements(root).first { localTag($0) == .html } }
    public var head: NodeID? { html.flatMap { html in childElements(html).first { tag($0) == .head } } }

    /// `body`, or the `frameset` that stands in its place.
    public var body: NodeID? {
        html.flatMap { html in childElements(html).first { tag($0) == .body || tag($0) == .frameset } }
    }
}
