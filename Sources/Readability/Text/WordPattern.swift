import HTML

/// A list of words. It matches if one of them occurs anywhere in a class, id or other short text, in any case.
struct WordPattern: Sendable {
    /// A letter that one or more words share. The words continue with its children, which begin with the first child.
    private struct Node {
        let letter: UInt8
        var endsWord = false
        /// Index in ``nodes``; 0, which is the root, if there is no child.
        var firstChild = 0
        var nextSibling = 0
    }

    /// The words as a tree. The root is the first node.
    private var nodes = [Node(letter: 0)]
    /// Bit n of number m is set if a word begins with letters whose lowest five bits, which are the same in both cases,
    /// are m and n. One lookup rejects nearly all positions of a text.
    private var pairs = [UInt32](repeating: 0, count: 32)

    /// - Parameter words: lowercase ASCII words of at least two letters, separated by white space.
    init(_ words: String) {
        for word in words.split(whereSeparator: \.isWhitespace).map({ Array($0.utf8) }) {
            pairs[Int(word[0] & 31)] |= 1 << UInt32(word[1] & 31)
            var node = 0
            for letter in word { node = child(letter, of: node) ?? addChild(letter, to: node) }
            nodes[node].endsWord = true
        }
    }

    func matches(_ text: some Collection<UInt8>) -> Bool {
        text.withContiguousStorageIfAvailable { matches($0) } ?? Array(text).withUnsafeBufferPointer { matches($0) }
    }

    func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var letter = text.first else { return false }
        for index in 1..<text.count {
            let next = text[index]
            if pairs[Int(letter & 31)] >> UInt32(next & 31) & 1 == 1, begins(in: text, at: index - 1) { return true }
            letter = next
        }
        return false
    }

    private func begins(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        var node = 0
        for place in index..<text.count {
            guard let next = child(lowercased(text[place]), of: node) else { return false }
            if nodes[next].endsWord { return true }
            node = next
        }
        return false
    }

    private func child(_ letter: UInt8, of parent: Int) -> Int? {
        var child = nodes[parent].firstChild
        while child != 0 {
            if nodes[child].letter == letter { return child }
            child = nodes[child].nextSibling
        }
        return nil
    }

    private mutating func addChild(_ letter: UInt8, to parent: Int) -> Int {
        var node = Node(letter: letter)
        node.nextSibling = nodes[parent].firstChild
        nodes.append(node)
        nodes[parent].firstChild = nodes.count - 1
        return nodes.count - 1
    }
}
