/// A map from byte strings to values, stored as a trie: a lookup neither copies nor hashes the key.
struct ByteTrie<Value: Sendable>: Sendable {
    /// A node of the trie; the bytes on the path from the root spell its key.
    struct Node: Sendable {
        fileprivate var byte: UInt8 = 0
        /// The value of the key that ends here.
        var value: Value?
        /// Indexes into `nodes`; 0 means none, because the root is never a child.
        fileprivate var firstChild: Int32 = 0
        fileprivate var nextSibling: Int32 = 0
    }

    private var nodes = [Node()]

    var root: Node { nodes[0] }

    func child(of node: Node, _ byte: UInt8) -> Node? {
        var place = Int(node.firstChild)
        while place != 0 {
            let child = nodes[place]
            if child.byte == byte { return child }
            place = Int(child.nextSibling)
        }
        return nil
    }

    subscript(text: some Sequence<UInt8>) -> Value? {
        get {
            var node = root
            for byte in text {
                guard let next = child(of: node, byte) else { return nil }
                node = next
            }
            return node.value
        }
        set {
            var place = 0
            for byte in text { place = childIndex(of: place, byte) }
            nodes[place].value = newValue
        }
    }

    /// Returns the index of the child for a byte, adding it if missing. New children go after their siblings, so
    /// entries listed first are found first.
    private mutating func childIndex(of parent: Int, _ byte: UInt8) -> Int {
        var last: Int?
        var place = Int(nodes[parent].firstChild)
        while place != 0 {
            if nodes[place].byte == byte { return place }
            last = place
            place = Int(nodes[place].nextSibling)
        }
        nodes.append(Node(byte: byte))
        if let last {
            nodes[last].nextSibling = Int32(nodes.count - 1)
        } else {
            nodes[parent].firstChild = Int32(nodes.count - 1)
        }
        return nodes.count - 1
    }
}
