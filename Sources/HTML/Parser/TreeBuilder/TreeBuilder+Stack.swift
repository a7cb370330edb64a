// The stack of open elements: section 13.2.4.2 of the standard.
extension TreeBuilder {
    mutating func push(_ element: OpenElement) {
        open.append(element)
        count(element, 1)
    }

    /// Does not count SVG and MathML names, which are never searched for.
    private mutating func count(_ element: OpenElement, _ change: Int32) {
        guard element.tag != .foreign else { return }
        let name = Int(element.name)
        if name >= openCounts.count { openCounts += repeatElement(0, count: name + 1 - openCounts.count) }
        openCounts[name] += change
    }

    /// Closes the current node; the first element stays open.
    mutating func pop() {
        guard open.count > 1, let element = open.popLast() else { return }
        count(element, -1)
    }

    mutating func removeFromStack(at index: Int) { count(open.remove(at: index), -1) }

    mutating func insertIntoStack(_ element: OpenElement, at index: Int) {
        open.insert(element, at: index)
        count(element, 1)
    }

    func hasOpen(_ tag: Tag) -> Bool { openCounts[Int(tag.rawValue)] > 0 }

    /// Whether an HTML element with this name is open.
    func hasOpen(named name: UInt32) -> Bool { name < openCounts.count && openCounts[Int(name)] > 0 }

    var isFull: Bool { open.count >= budget.depth }

    /// Whether the stack has room for a table or template and its parts. The insertion modes rely on the parts being
    /// open.
    var hasRoomForParts: Bool { open.count + 8 <= budget.depth }

    /// Closes elements up to and including the topmost with this tag; one must be open.
    mutating func pop(through tag: Tag) {
        while open.count > 1 {
            let closed = current.tag
            pop()
            if closed == tag { return }
        }
    }

    mutating func pop(throughAnyOf tags: TagSet) {
        while open.count > 1 {
            let closed = current.tag
            pop()
            if tags.contains(closed) { return }
        }
    }

    /// Closes elements until the current one is in the set.
    mutating func clear(to tags: TagSet) {
        while open.count > 1, !tags.contains(current.tag) { pop() }
    }

    /// Whether an element is in the scope bounded by elements with a trait.
    func isInScope(_ tag: Tag, _ bound: ElementTraits = .scope) -> Bool {
        guard hasOpen(tag) else { return false }
        for element in open.reversed() {
            if element.tag == tag { return true }
            if !element.traits.isDisjoint(with: bound) { return false }
        }
        return false
    }

    func isAnyInScope(_ tags: TagSet, _ bound: ElementTraits = .scope) -> Bool {
        for element in open.reversed() {
            if tags.contains(element.tag) { return true }
            if !element.traits.isDisjoint(with: bound) { return false }
        }
        return false
    }

    func isInScope(_ node: NodeID) -> Bool {
        for element in open.reversed() {
            if element.node == node { return true }
            if element.traits.contains(.scope) { return false }
        }
        return false
    }

    func stackIndex(of node: NodeID) -> Int? { open.lastIndex { $0.node == node } }

    /// Closes elements whose end tags are optional.
    mutating func generateImpliedEndTags(except tag: Tag = .none) {
        while current.traits.contains(.impliedEnd), current.tag != tag { pop() }
    }

    mutating func generateAllImpliedEndTags() {
        while current.traits.contains(.thoroughlyImpliedEnd) { pop() }
    }

    /// Closes the open paragraph before a block starts.
    mutating func closeParagraph() {
        guard isInScope(.p, .buttonScope) else { return }
        generateImpliedEndTags(except: .p)
        pop(through: .p)
    }
}
