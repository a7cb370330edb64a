import HTML

// Accessors for short texts. They stop reading at a limit, so that long input costs nothing.
extension Document {
    /// Returns an attribute's trimmed value, cut to `maxBytes`; nil if it is empty.
    func shortValue(_ node: NodeID, _ name: AttributeName, maxBytes: Int) -> String? {
        withBytes(node, name) { bytes -> String? in
            var end = min(bytes.count, maxBytes)
            // Do not cut inside a UTF-8 sequence.
            while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            let trimmed = WhiteSpace.trim(Array(bytes[..<end]))
            return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
        }
    }

    /// Returns the text at or below a node as one line; nil if there is no text, or more than `maxBytes` bytes or two
    /// hundred nodes.
    func shortText(_ node: NodeID, maxBytes: Int) -> String? {
        var text: [UInt8] = []
        var visited = 0
        var current: NodeID? = node
        while let here = current {
            visited += 1
            guard visited <= 200, text.count <= maxBytes else { return nil }
            let tag = tag(here)
            if tag == .script || tag == .style || tag == .noscript || tag == .template {
                current = next(skipping: here, within: node)
                continue
            }
            if isText(here) {
                withText(here) { text.append(contentsOf: $0.prefix(maxBytes + 1)) }
            } else if visited > 1, TextRenderer.blocks.contains(tag) {
                text.append(0x20)
            }
            current = next(after: here, within: node)
        }
        guard text.count <= maxBytes else { return nil }
        return OneLine.of(String(decoding: text, as: UTF8.self))
    }
}
