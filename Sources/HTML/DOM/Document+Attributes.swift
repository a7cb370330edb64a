extension Document {
    // MARK: Reading

    /// Returns an attribute's value, or nil if the element has no such attribute.
    public func attribute(_ node: NodeID, _ name: AttributeName) -> String? {
        value(node, code: name.rawValue).map(string)
    }

    public func attribute(_ node: NodeID, named name: String) -> String? {
        attributeNames.knownCode(of: name).flatMap { value(node, code: $0) }.map(string)
    }

    /// Whether an element of the document has, or once had, an attribute of this name.
    public func knows(attribute name: String) -> Bool { attributeNames.knownCode(of: name) != nil }

    public func has(_ node: NodeID, _ name: AttributeName) -> Bool { value(node, code: name.rawValue) != nil }

    /// Whether the attribute exists and has exactly this value.
    public func attribute(_ node: NodeID, _ name: AttributeName, is expected: StaticString) -> Bool {
        guard let extent = value(node, code: name.rawValue), Int(extent.count) == expected.utf8CodeUnitCount else {
            return false
        }
        return expected.withUTF8Buffer { wanted in bytes[extent.range].elementsEqual(wanted) }
    }

    /// Calls `body` with an attribute's bytes, without creating a string. An absent attribute passes an empty buffer.
    public func withBytes<Result>(
        _ node: NodeID, _ name: AttributeName, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let range = value(node, code: name.rawValue)?.range ?? 0..<0
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Whether an attribute's bytes satisfy a test; of an absent attribute, an empty buffer. Faster than `withBytes`,
    /// which is not specialised for callers in other modules.
    public func attribute(
        _ node: NodeID, _ name: AttributeName, satisfies test: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let range = value(node, code: name.rawValue)?.range ?? 0..<0
        return bytes.withUnsafeBufferPointer { test(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    public func attributeCount(_ node: NodeID) -> Int { isElement(node) ? Int(extents[node.row].count) : 0 }

    /// Returns the attribute at a position, in source order.
    public func attribute(_ node: NodeID, at index: Int) -> Attribute {
        let row = attributes[Int(extents[node.row].start) + index]
        return Attribute(name: attributeNames.spelling(row.name), value: string(row.value))
    }

    /// Returns the name of the attribute at a position, in source order.
    public func attributeName(_ node: NodeID, at index: Int) -> String {
        attributeNames.spelling(attributes[Int(extents[node.row].start) + index].name)
    }

    public func allAttributes(_ node: NodeID) -> [Attribute] {
        (0..<attributeCount(node)).map { attribute(node, at: $0) }
    }

    // MARK: Writing

    public mutating func set(_ node: NodeID, _ name: AttributeName, to value: String) {
        set(node, code: name.rawValue, to: store(value.utf8))
    }

    public mutating func set(_ node: NodeID, named name: String, to value: String) {
        set(node, code: attributeNames.code(of: name), to: store(value.utf8))
    }

    public mutating func remove(_ node: NodeID, _ name: AttributeName) {
        guard let index = position(node, code: name.rawValue) else { return }
        removeAttribute(node, at: index)
    }

    public mutating func remove(_ node: NodeID, named name: String) {
        guard let code = attributeNames.knownCode(of: name), let index = position(node, code: code) else { return }
        removeAttribute(node, at: index)
    }

    private mutating func removeAttribute(_ node: NodeID, at index: Int) {
        let extent = extents[node.row]
        let start = Int(extent.start)
        for later in index..<Int(extent.count) - 1 { attributes[start + later] = attributes[start + later + 1] }
        extents[node.row].count -= 1
    }

    private mutating func set(_ node: NodeID, code: UInt32, to value: Extent) {
        guard isElement(node) else { return }
        if let index = position(node, code: code) {
            attributes[Int(extents[node.row].start) + index].value = value
            return
        }
        // A new attribute needs a free row directly after the element's own rows. Unless those are the last rows of the
        // table, they are copied to its end.
        let own = extents[node.row]
        if own.range.upperBound != attributes.count {
            extents[node.row].start = UInt32(attributes.count)
            attributes.appendCopy(of: own.range)
        }
        attributes.append(AttributeRow(name: code, value: value))
        extents[node.row].count += 1
    }

    // MARK: Finding

    func value(_ node: NodeID, code: UInt32) -> Extent? {
        guard isElement(node) else { return nil }
        for row in extents[node.row].range where attributes[row].name == code { return attributes[row].value }
        return nil
    }

    private func position(_ node: NodeID, code: UInt32) -> Int? {
        guard isElement(node) else { return nil }
        return extents[node.row].range.firstIndex { attributes[$0].name == code }
            .map { $0 - extents[node.row].range.lowerBound }
    }

    func string(_ extent: Extent) -> String { String(decoding: bytes[extent.range], as: UTF8.self) }
}
