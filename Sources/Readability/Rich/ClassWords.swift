import HTML

/// The names in an element's class and id, and the words within these names, in lower case: `line-numbers` is one name
/// with two words.
struct ClassWords {
    private(set) var names: Set<String> = []
    private(set) var words: Set<String> = []

    /// In bytes. Only the beginning of a longer class or id is read; the rest adds nothing.
    private static let maxBytes = 500

    init(of node: NodeID, in document: Document) {
        // In browsers, an SVG element's `className` is not a string, so Readability sees no class.
        if !document.isSVG(node) { addNames(in: .class, of: node, document) }
        addNames(in: .id, of: node, document)
    }

    private mutating func addNames(in attribute: AttributeName, of node: NodeID, _ document: Document) {
        _ = document.attribute(node, attribute) { text in
            if !text.isEmpty { add(text) }
            return true
        }
    }

    func hasName(of list: Set<String>) -> Bool { !names.isDisjoint(with: list) }
    func hasWord(of list: Set<String>) -> Bool { !words.isDisjoint(with: list) }

    /// Adds the words of another text, such as a URL.
    mutating func add(_ text: String) { Array(text.utf8).withUnsafeBufferPointer { add($0) } }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        for name in text.prefix(Self.maxBytes).split(whereSeparator: WhiteSpace.isASCII) {
            let name = name.map(lowercased)
            names.insert(String(decoding: name, as: UTF8.self))
            for word in name.split(whereSeparator: { !isAlphanumeric($0) }) {
                words.insert(String(decoding: word, as: UTF8.self))
            }
        }
    }
}

/// Whether a byte is an ASCII lower-case letter or digit, or part of a non-ASCII character.
func isAlphanumeric(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7A) || byte >= 0x80
}
