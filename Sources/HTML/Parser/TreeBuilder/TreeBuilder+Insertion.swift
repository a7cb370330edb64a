// Creating nodes and inserting them: section 13.2.6.1 of the standard.
extension TreeBuilder {
    struct Place {
        var parent: NodeID
        /// Nil inserts at the end of the parent.
        var before: NodeID?
    }

    private static let fosteredTargets: TagSet = [.table, .tbody, .tfoot, .thead, .tr]

    /// Returns the standard's "appropriate place for inserting a node".
    func place(in override: OpenElement? = nil) -> Place {
        let target = override ?? current
        var place = Place(parent: target.node)
        if isFosterParenting, TreeBuilder.fosteredTargets.contains(target.tag) { place = fosterPlace() }
        if let content = document.templateContents[place.parent] { place.parent = content }
        return place
    }

    private func fosterPlace() -> Place {
        for index in open.indices.reversed() {
            if open[index].tag == .template { return Place(parent: open[index].node) }
            guard open[index].tag == .table else { continue }
            if let parent = document.parent(open[index].node) {
                return Place(parent: parent, before: open[index].node)
            }
            return Place(parent: open[max(index - 1, 0)].node)
        }
        return Place(parent: open[0].node)
    }

    mutating func insert(_ node: NodeID, at place: Place) {
        if let before = place.before {
            document.insert(node, before: before)
        } else {
            document.append(node, to: place.parent)
        }
    }

    // MARK: - Elements

    /// Inserts an HTML element for the current tag and opens it.
    @discardableResult
    mutating func insertElement() -> NodeID {
        insertElement(tokenizer.name, tag, tokenizer.tagAttributes)
    }

    /// Inserts an HTML element without a corresponding tag and opens it.
    @discardableResult
    mutating func insertElement(_ tag: Tag) -> NodeID { insertElement(tag.rawValue, tag, noAttributes) }

    var noAttributes: Document.Extent { Document.Extent(start: UInt32(tokenizer.attributes.count), count: 0) }

    @discardableResult
    mutating func insertElement(_ name: UInt32, _ tag: Tag, _ attributes: Document.Extent) -> NodeID {
        let node = appendElement(name, tag, attributes)
        if !isFull { push(OpenElement(node: node, tag: tag, name: name, traits: .html(tag))) }
        return node
    }

    /// Inserts an HTML element for the current tag and opens it even on a full stack: an element that holds only text,
    /// or a part of a table, which was only started because its parts have room.
    mutating func insertPart() { insertPart(tokenizer.name, tag, tokenizer.tagAttributes) }

    /// Same for an element without a corresponding tag.
    mutating func insertPart(_ tag: Tag) { insertPart(tag.rawValue, tag, noAttributes) }

    private mutating func insertPart(_ name: UInt32, _ tag: Tag, _ attributes: Document.Extent) {
        let node = appendElement(name, tag, attributes)
        push(OpenElement(node: node, tag: tag, name: name, traits: .html(tag)))
    }

    /// Inserts an HTML element without opening it.
    @discardableResult
    private mutating func appendElement(_ name: UInt32, _ tag: Tag, _ attributes: Document.Extent) -> NodeID {
        let node = document.addRow(.html, name: name, extent: attributes)
        insert(node, at: place())
        if tag == .template {
            document.templateContents[node] = document.addRow(
                .fragment, name: Tag.none.rawValue, extent: Document.Extent())
        }
        return node
    }

    /// Inserts an element without content for the current tag.
    @discardableResult
    mutating func insertVoid() -> NodeID { appendElement(tokenizer.name, tag, tokenizer.tagAttributes) }

    /// Same for an element without a corresponding tag.
    mutating func insertVoid(_ tag: Tag) { appendElement(tag.rawValue, tag, noAttributes) }

    // MARK: - Text and comments

    /// Inserts the current text.
    mutating func insertText() { insertText(tokenizer.text) }

    mutating func insertText(_ text: Document.Extent) {
        let place = place()
        guard document.kinds[place.parent.row] != .document else { return }
        let before = place.before.map { document.previousSibling($0) } ?? document.lastChild(place.parent)
        if let before, document.kinds[before.row] == .text {
            join(text, to: before)
        } else {
            insert(document.addRow(.text, name: Tag.none.rawValue, extent: text), at: place)
        }
    }

    /// Appends characters to a text node. Text that is not contiguous with them is moved to the end of the arena; from
    /// the second move on it reserves as many bytes as it has, so that a text assembled from many pieces is moved only
    /// a few times.
    private mutating func join(_ text: Document.Extent, to node: NodeID) {
        let own = document.extents[node.row]
        if own.end == Int(text.start) {
            document.extents[node.row].count += text.count
            return
        }
        let room = freeBytesAfter[node] ?? 0
        if room >= Int(text.count) {
            for place in 0..<Int(text.count) {
                tokenizer.bytes[own.end + place] = tokenizer.bytes[Int(text.start) + place]
            }
            freeBytesAfter[node] = room - Int(text.count)
        } else if own.end == tokenizer.bytes.count {
            tokenizer.bytes.appendCopy(of: text.range)
        } else {
            let isMovedAgain = freeBytesAfter[node] != nil
            document.extents[node.row].start = UInt32(tokenizer.bytes.count)
            tokenizer.bytes.appendCopy(of: own.range)
            tokenizer.bytes.appendCopy(of: text.range)
            let free = isMovedAgain ? Int(own.count + text.count) : 0
            tokenizer.bytes.append(contentsOf: repeatElement(0, count: free))
            freeBytesAfter[node] = free
        }
        document.extents[node.row].count += text.count
    }

    mutating func insertReplacementCharacter() {
        let start = tokenizer.bytes.count
        tokenizer.bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        insertText(tokenizer.extent(start, start + 3))
    }

    mutating func insertComment(in parent: NodeID? = nil) {
        let comment = document.addRow(.comment, name: Tag.none.rawValue, extent: tokenizer.text)
        insert(comment, at: parent.map { Place(parent: $0) } ?? place())
    }

    // MARK: - White space

    /// Removes the leading white space from the current text and returns it; nil if there is none.
    mutating func takeLeadingSpace() -> Document.Extent? {
        let text = tokenizer.text
        var count = 0
        while count < Int(text.count), WhiteSpace.isASCII(tokenizer.bytes[Int(text.start) + count]) { count += 1 }
        guard count > 0 else { return nil }
        tokenizer.text.start += UInt32(count)
        tokenizer.text.count -= UInt32(count)
        return Document.Extent(start: text.start, count: UInt32(count))
    }

    /// Inserts leading white space or a comment, and drops a doctype. Returns whether nothing of the token is left.
    mutating func insertSpaceOrComment(_ token: Token) -> Bool {
        switch token {
        case .text:
            if let space = takeLeadingSpace() { insertText(space) }
            return tokenizer.text.count == 0
        case .comment:
            insertComment()
            return true
        case .doctype: return true
        default: return false
        }
    }

    func isSpace(_ text: Document.Extent) -> Bool {
        for index in text.range where !WhiteSpace.isASCII(tokenizer.bytes[index]) { return false }
        return true
    }

    // MARK: - Late attributes

    struct LateAttributes {
        var rows: [Document.AttributeRow] = []
        var names: Set<UInt32> = []
    }

    /// Collects the attributes that a repeated `html` or `body` tag adds; `addLateAttributes` applies them all at the
    /// end.
    mutating func addAttributes(to node: NodeID) {
        guard document.kinds[node.row] == .html else { return }
        if tokenizer.tagAttributes.count == 0 { return }
        var late = lateAttributes.removeValue(forKey: node) ?? LateAttributes()
        if late.names.isEmpty {
            late.names = Set(document.extents[node.row].range.map { tokenizer.attributes[$0].name })
        }
        for row in tokenizer.attributes[tokenizer.tagAttributes.range] where late.names.insert(row.name).inserted {
            late.rows.append(row)
        }
        lateAttributes[node] = late
    }

    mutating func addLateAttributes() {
        for (node, late) in lateAttributes where !late.rows.isEmpty {
            let own = document.extents[node.row]
            let start = document.attributes.count
            document.attributes.appendCopy(of: own.range)
            document.attributes += late.rows
            document.extents[node.row] = Document.Extent(
                start: UInt32(start), count: UInt32(document.attributes.count - start))
        }
    }
}
