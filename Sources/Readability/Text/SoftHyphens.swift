import HTML

extension Document {
    /// Removes the soft hyphens of all texts. Browsers hyphenate by the language; in a text they only keep words from
    /// being found.
    mutating func removeSoftHyphens(below node: NodeID) {
        var texts: [(node: NodeID, text: [UInt8])] = []
        forEachNode(below: node) { node in
            withText(node) { bytes in
                if let text = Self.withoutSoftHyphens(bytes) { texts.append((node, text)) }
            }
        }
        for (node, text) in texts { replace(node, with: makeText(text)) }
    }

    /// Returns nil for a text without soft hyphens, which are C2 AD in UTF-8.
    private static func withoutSoftHyphens(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.indices.dropLast().contains(where: { bytes[$0] == 0xC2 && bytes[$0 + 1] == 0xAD }) else {
            return nil
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0xAD {
                index += 2
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return text
    }
}
