import HTML

/// What an element's class and id say about it: +25 for words of articles, −25 for words of everything else, each.
enum ClassWeight {
    static func of(_ node: NodeID, in document: Document) -> Int {
        let byClass = document.isSVG(node) ? 0 : document.withBytes(node, .class, weight)
        return byClass + document.withBytes(node, .id, weight)
    }

    private static func weight(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard !text.isEmpty else { return 0 }
        var weight = 0
        if Vocabulary.negative.matches(text) || saysHid(text) { weight -= 25 }
        if Vocabulary.positive.matches(text) { weight += 25 }
        return weight
    }

    /// The word `hid` between spaces or the ends.
    private static func saysHid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 3 else { return false }
        return text.split(separator: 0x20).contains { $0.count == 3 && $0.map(lowercased).elementsEqual("hid".utf8) }
    }
}
