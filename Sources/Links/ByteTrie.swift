/// Texts and what each stands for, in a tree of their bytes: looking one up neither copies nor hashes it.
struct ByteTrie<Value: Sendable>: Sendable {
    /// A place in the tree, reached by the bytes on the way to it.
    struct Node: Sendable {
        fileprivate var byte: UInt8 = 0
        /// What the text that ends here stands for.
        var value: Value?
        /// Places in `nodes`; 0, the root, is nobody's child.
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
            for byte in text { place = childPlace(of: place, byte) }
            nodes[place].value = newValue
        }
    }

    /// The child's place; it is made where there is none, behind its siblings: what is listed first is found first.
    private mutating func childPlace(of parent: Int, _ byte: UInt8) -> Int {
        var last: Int?
        var place = Int(nodes[parent].firstChild)
        while place != 0 {
            if nodes[place].byte == byte { return place }
            last = place
            place = Int(nodes[place].nextSibling)
        }
        nodes.append(Node(byte: byte))
        if let last { nodes[last].nextSibling = Int32(nodes.count - 1) } else { nodes[parent].firstChild = Int32(nodes.count - 1) }
        return nodes.count - 1
    }
}
