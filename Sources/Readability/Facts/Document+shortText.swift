import HTML

// Texts of a page that shall be short: what is longer is cut or is none of them, and costs nothing.
extension Document {
    /// An attribute's value, trimmed, at most so many bytes of it; nil for an empty one.
    func shortValue(_ node: NodeID, _ name: AttributeName, most: Int) -> String? {
        withBytes(node, name) { bytes -> String? in
            var end = min(bytes.count, most)
            // Not through a character.
            while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            let trimmed = WhiteSpace.trim(Array(bytes[..<end]))
            return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
        }
    }

    /// The text at or below a node in one line; nil where there is none, or more than `most` bytes or two hundred nodes of it.
    func shortText(_ node: NodeID, most: Int) -> String? {
        var text: [UInt8] = []
        var visited = 0
        var current: NodeID? = node
        while let here = current {
            visited += 1
            guard visited <= 200, text.count <= most else { return nil }
            let tag = tag(here)
            if tag == .script || tag == .style || tag == .noscript || tag == .template {
                current = next(skipping: here, within: node)
                continue
            }
            if isText(here) {
                withText(here) { text.append(contentsOf: $0.prefix(most + 1)) }
            } else if visited > 1, TextRenderer.blocks.contains(tag) {
                text.append(0x20)
            }
            current = next(after: here, within: node)
        }
        guard text.count <= most else { return nil }
        return OneLine.of(String(decoding: text, as: UTF8.self))
    }
}
