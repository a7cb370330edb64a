// The list of active formatting elements and the adoption agency: sections 13.2.4.3 and 13.2.6.4.7 of the standard.
extension TreeBuilder {
    /// Adds the element just inserted to the list of active formatting elements, so that it is reopened if something
    /// other than its own end tag closes it. The list holds at most three identical elements (the standard's "Noah's
    /// Ark clause").
    mutating func pushFormatting(_ node: NodeID) {
        // On a full stack the element was closed immediately; it must not be reopened.
        guard current.node == node else { return }
        let signature = signature(of: document.extents[node.row])
        var alike = 0
        var earliest = 0
        var index = formatting.count - 1
        while index >= 0, let other = formatting[index].node {
            if formatting[index].tag == tag, formatting[index].signature == signature, hasSameAttributes(other, node) {
                alike += 1
                earliest = index
            }
            index -= 1
        }
        if alike >= 3 { formatting.remove(at: earliest) }
        add(FormattingElement(node: node, tag: tag, depth: open.count - 1, signature: signature))
    }

    /// Differs in every process, so that no page can be crafted whose signatures collide.
    private static let seed = UInt64.random(in: 0 ... .max)

    /// Returns a hash of the attributes that does not depend on their order.
    private func signature(of attributes: Document.Extent) -> UInt64 {
        var signature: UInt64 = 0
        for row in tokenizer.attributes[attributes.range] {
            var hash = TreeBuilder.seed ^ UInt64(row.name)
            for index in row.value.range { hash = (hash ^ UInt64(tokenizer.bytes[index])) &* 0x100_0000_01B3 }
            signature &+= hash ^ (hash >> 29)
        }
        return signature
    }

    private mutating func add(_ element: FormattingElement) {
        if formatting.count >= TreeBuilder.maximumFormatting { formatting.removeFirst() }
        formatting.append(element)
    }

    private func hasSameAttributes(_ first: NodeID, _ second: NodeID) -> Bool {
        let one = document.extents[first.row]
        let other = document.extents[second.row]
        guard one.count == other.count else { return false }
        for row in one.range {
            let attribute = tokenizer.attributes[row]
            // The attributes are usually in the same order.
            let opposite = other.range.lowerBound + row - one.range.lowerBound
            let match =
                tokenizer.attributes[opposite].name == attribute.name
                ? opposite : other.range.first { tokenizer.attributes[$0].name == attribute.name }
            guard let match,
                tokenizer.bytes[tokenizer.attributes[match].value.range].elementsEqual(
                    tokenizer.bytes[attribute.value.range])
            else { return false }
        }
        return true
    }

    mutating func addMarker() { add(FormattingElement(node: nil)) }

    mutating func clearToMarker() {
        while let last = formatting.popLast(), last.node != nil {}
    }

    /// Reopens the formatting elements that were closed by something other than their own end tags.
    mutating func reconstructFormatting() {
        var index = formatting.count - 1
        guard index >= 0, !isFull, isClosed(at: index) else { return }
        while index > 0, isClosed(at: index - 1) { index -= 1 }
        while index < formatting.count, !isFull {
            if let node = formatting[index].node {
                formatting[index].node = insertElement(
                    document.names[node.row], formatting[index].tag, copyAttributes(of: node))
                formatting[index].depth = open.count - 1
            }
            index += 1
        }
    }

    /// Whether an entry's element is no longer open. False for markers.
    private mutating func isClosed(at index: Int) -> Bool {
        guard let node = formatting[index].node else { return false }
        let depth = formatting[index].depth
        if depth < open.count, open[depth].node == node { return false }
        guard let found = stackIndex(of: node) else { return true }
        formatting[index].depth = found
        return false
    }

    /// Copies the attribute rows, so that a later change to one element does not affect the other.
    private mutating func copyAttributes(of node: NodeID) -> Document.Extent {
        let own = document.extents[node.row]
        let start = tokenizer.attributes.count
        tokenizer.attributes.appendCopy(of: own.range)
        return Document.Extent(start: UInt32(start), count: own.count)
    }

    private mutating func clone(_ node: NodeID, _ tag: Tag) -> OpenElement {
        let attributes = copyAttributes(of: node)
        let clone = document.addRow(.html, name: document.names[node.row], extent: attributes)
        return OpenElement(node: clone, tag: tag, name: document.names[node.row], traits: .html(tag))
    }

    /// Returns the index of the last entry with this tag after the last marker.
    func formattingIndex(of tag: Tag) -> Int? {
        var index = formatting.count - 1
        while index >= 0, formatting[index].node != nil {
            if formatting[index].tag == tag { return index }
            index -= 1
        }
        return nil
    }

    mutating func removeFormatting(_ node: NodeID) {
        if let index = formatting.lastIndex(where: { $0.node == node }) { formatting.remove(at: index) }
    }

    // MARK: - The adoption agency

    /// Closes a formatting element that may be misnested.
    mutating func runAdoptionAgency(for subject: Tag) {
        if current.tag == subject, !formatting.contains(where: { $0.node == current.node }) { return pop() }
        for _ in 0..<8 {
            guard let entry = formattingIndex(of: subject), let node = formatting[entry].node else {
                return closeByAnyOtherEndTag(subject.rawValue)
            }
            guard let stacked = stackIndex(of: node) else {
                formatting.remove(at: entry)
                return
            }
            guard isInScope(node) else { return }
            guard let furthest = open[stacked...].firstIndex(where: { $0.traits.contains(.special) }) else {
                while open.count > stacked { pop() }
                formatting.remove(at: entry)
                return
            }
            adopt(formattingElement: stacked, entry: entry, furthestBlock: furthest)
        }
    }

    /// Runs one iteration: closes the formatting element before the furthest block and continues it inside that block.
    private mutating func adopt(formattingElement stacked: Int, entry: Int, furthestBlock: Int) {
        let element = open[stacked]
        let block = open[furthestBlock]
        let ancestor = open[max(stacked - 1, 0)]
        var entry = entry
        var bookmark = entry
        var last = block.node
        var index = furthestBlock
        var inner = 0
        while true {
            inner += 1
            index -= 1
            if index <= stacked { break }
            let node = open[index]
            var listed = formatting.lastIndex { $0.node == node.node }
            if inner > 3, let found = listed {
                formatting.remove(at: found)
                if found < bookmark { bookmark -= 1 }
                if found < entry { entry -= 1 }
                listed = nil
            }
            guard let listed else {
                removeFromStack(at: index)
                continue
            }
            let copy = clone(node.node, node.tag)
            formatting[listed].node = copy.node
            // The clone has the same name, so `openCounts` does not change.
            open[index] = copy
            if last == block.node { bookmark = listed + 1 }
            document.append(last, to: copy.node)
            last = copy.node
        }
        document.detach(last)
        insert(last, at: place(in: ancestor))

        let copy = clone(element.node, element.tag)
        document.moveChildren(of: block.node, to: copy.node)
        document.append(copy.node, to: block.node)
        formatting.remove(at: entry)
        if entry < bookmark { bookmark -= 1 }
        formatting.insert(FormattingElement(node: copy.node, tag: element.tag), at: min(bookmark, formatting.count))
        removeFromStack(at: stacked)
        if let place = stackIndex(of: block.node) {
            insertIntoStack(copy, at: place + 1)
        }
    }
}
