import Text

/// The tags of an XML file in their order, each with the text after it. Enough for the small files that describe a book,
/// which are often not well-formed: nothing is checked, entities of a document type are not expanded, and names have no
/// prefix.
struct XMLTags {
    struct Tag: Equatable {
        /// The local name.
        var name: String
        var isEnd = false
        /// By local name.
        var attributes: [String: String] = [:]
        /// The text up to the next tag, on one line.
        var text = ""
    }

    private(set) var all: [Tag] = []

    /// Tags of the largest file that is read completely.
    private static let maxTags = 200_000

    /// Reads a file in UTF-8 or UTF-16.
    init(_ bytes: [UInt8]) {
        var rest = Self.decoded(bytes)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")), all.count < Self.maxTags {
            addText(rest[..<start])
            rest = rest[start...]
            if let section = Self.section(rest) {
                if section.isText { addText(section.content, isPlain: true) }
                rest = section.rest
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
            if let tag = Self.tag(rest[(rest.startIndex + 1)..<end]) { all.append(tag) }
            rest = rest[(end + 1)...]
        }
        addText(rest)
    }

    /// The text of the first element of this name.
    func text(of name: String) -> String? { texts(of: name).first }

    /// The texts of all elements of this name that have one.
    func texts(of name: String) -> [String] {
        all.filter { $0.name == name && !$0.isEnd && !$0.text.isEmpty }.map(\.text)
    }

    // MARK: - Reading

    private mutating func addText(_ bytes: ArraySlice<UInt8>, isPlain: Bool = false) {
        guard !all.isEmpty else { return }
        let written = String(decoding: bytes, as: UTF8.self)
        let text = isPlain ? written : CharacterReferences.standard.decoded(written)
        let words = [all[all.count - 1].text, text].joined(separator: " ").split(whereSeparator: \.isWhitespace)
        all[all.count - 1].text = words.joined(separator: " ")
    }

    /// The comment, instruction or section at the start, and what follows it.
    private static func section(
        _ bytes: ArraySlice<UInt8>
    ) -> (content: ArraySlice<UInt8>, isText: Bool, rest: ArraySlice<UInt8>)? {
        for (start, end, isText) in [("<!--", "-->", false), ("<![CDATA[", "]]>", true), ("<?", "?>", false)]
        where bytes.starts(with: start.utf8) {
            let inner = bytes.dropFirst(start.utf8.count)
            guard let found = place(of: Array(end.utf8), in: inner) else { return (inner, isText, []) }
            return (inner[..<found], isText, inner[(found + end.utf8.count)...])
        }
        return nil
    }

    private static func place(of word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var place = bytes.startIndex
        while let found = bytes[place...].firstIndex(of: word[0]) {
            if bytes[found...].starts(with: word) { return found }
            place = found + 1
        }
        return nil
    }

    /// - Parameter bytes: what stands between the angle brackets. A bracket in a value ends the tag early, which is rare.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> Tag? {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        let isEnd = rest.first == "/"
        if isEnd { rest.removeFirst() }
        let name = rest.prefix { !$0.isWhitespace && $0 != "/" }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, name.first != "!" else { return nil }
        var tag = Tag(name: local(name), isEnd: isEnd)
        while let equals = rest.firstIndex(of: "=") {
            let attribute = rest[..<equals].split(whereSeparator: \.isWhitespace).last ?? ""
            let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            guard let quote = value.first, quote == "\"" || quote == "'",
                let close = value.dropFirst().firstIndex(of: quote)
            else { break }
            let inner = value[value.index(after: value.startIndex)..<close]
            tag.attributes[local(attribute)] = CharacterReferences.standard.decoded(String(inner))
            rest = value[value.index(after: close)...]
        }
        return tag
    }

    private static func local(_ name: Substring) -> String { String(name.split(separator: ":").last ?? "") }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        var units: [UInt16] = []
        for place in stride(from: 2, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
