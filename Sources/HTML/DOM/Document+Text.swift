extension Document {
    /// Calls `body` with the bytes of each text node at or below a node, in document order.
    public func forEachText(in node: NodeID, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { all in
            var current: NodeID? = node
            while let here = current {
                if kinds[here.row] == .text { body(UnsafeBufferPointer(rebasing: all[extents[here.row].range])) }
                current = next(after: here, within: node)
            }
        }
    }

    /// Calls `body` with a text node's bytes.
    public func withText<Result>(_ node: NodeID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = isText(node) ? extents[node.row].range : 0..<0
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Whether a text node's bytes satisfy a test. Faster than `withText`, which is not specialised for callers in other
    /// modules.
    public func text(_ node: NodeID, satisfies test: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        let range = isText(node) ? extents[node.row].range : 0..<0
        return bytes.withUnsafeBufferPointer { test(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Returns all text at or below a node, unchanged (`textContent` in the DOM).
    public func text(of node: NodeID) -> [UInt8] {
        var text: [UInt8] = []
        forEachText(in: node) { text.append(contentsOf: $0) }
        return text
    }

    public func textContent(_ node: NodeID) -> String { String(decoding: text(of: node), as: UTF8.self) }

    /// Returns the text at or below a node, trimmed, with each run of white space replaced by one space.
    public func innerText(_ node: NodeID) -> String {
        String(decoding: WhiteSpace.collapse(text(of: node)), as: UTF8.self)
    }

    public func measure(_ node: NodeID) -> TextMeasure {
        var measure = TextMeasure()
        forEachText(in: node) { measure.add($0) }
        return measure
    }

    /// Returns the length of all text at or below a node, in UTF-16 code units, including white space.
    public func utf16Length(_ node: NodeID) -> Int {
        var length = 0
        forEachText(in: node) { text in
            for byte in text where byte & 0xC0 != 0x80 { length += byte >= 0xF0 ? 2 : 1 }
        }
        return length
    }

    /// Whether the text at or below a node is empty or only white space.
    public func isBlank(_ node: NodeID) -> Bool {
        bytes.withUnsafeBufferPointer { all in
            var current: NodeID? = node
            while let here = current {
                if kinds[here.row] == .text, !isBlank(all, in: extents[here.row].range) { return false }
                current = next(after: here, within: node)
            }
            return true
        }
    }

    private func isBlank(_ all: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Bool {
        let text = UnsafeBufferPointer(rebasing: all[range])
        var index = 0
        while index < text.count {
            let space = WhiteSpace.length(in: text, at: index)
            if space == 0 { return false }
            index += space
        }
        return true
    }

    /// Whether a text node's last character is not white space.
    public func endsInVisibleText(_ node: NodeID) -> Bool {
        guard isText(node) else { return false }
        return bytes.withUnsafeBufferPointer { all in
            let text = UnsafeBufferPointer(rebasing: all[extents[node.row].range])
            var start = text.count - 1
            while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
            return start >= 0 && WhiteSpace.length(in: text, at: start) == 0
        }
    }
}
