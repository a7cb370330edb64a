import HTML

/// The weight of an element's class and id: each adds 25 for words typical of articles and subtracts 25 for words
/// typical of everything else.
enum ClassWeight {
    static func of(_ node: NodeID, in document: Document) -> Int {
        let byClass = document.isSVG(node) ? 0 : document.withBytes(node, .class, weight)
        return byClass + document.withBytes(node, .id, weight)
    }

    private static func weight(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard !text.isEmpty else { return 0 }
        var weight = 0
        if Vocabulary.negative.matches(text) || containsHid(text) { weight -= 25 }
        if Vocabulary.positive.matches(text) { weight += 25 }
        return weight
    }

    /// Returns whether the text has the word `hid` between spaces or its ends.
    private static func containsHid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 3 else { return false }
        return text.split(separator: 0x20).contains { $0.count == 3 && $0.map(lowercased).elementsEqual("hid".utf8) }
    }
}
