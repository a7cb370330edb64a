/// A tag or a text of HTML or XML, as programs write them: bookmarks, OPML, feeds. Nothing is checked: what is not a tag is
/// text. Pages of web sites have a parser of their own, in the module HTML.
public enum MarkupToken: Equatable, Sendable {
    /// Names are in lower case; values of attributes are decoded.
    case start(String, [String: String])
    case end(String)
    /// Decoded.
    case text(String)
    /// A comment, a declaration or a processing instruction.
    case comment(String)

    /// A token and where it ends.
    public struct Found {
        /// Nil for an end tag without a name.
        public var token: MarkupToken?
        /// The index after the last byte.
        public var end: Int
        /// Whether the token is the tag of XML for an element without content, whose end tag does not follow.
        public var isEmptyElement = false
    }

    /// Characters of the longest name of a tag, and attributes of a tag that are read.
    private static let (maxName, maxAttributes) = (200, 200)

    /// The token that a text begins with.
    ///
    /// - Parameters:
    ///   - bytes: not empty.
    ///   - isLast: whether nothing follows `bytes`.
    /// - Returns: nil where the token does not end in `bytes`. At the end of the text, such a tag is damaged.
    public static func first(of bytes: ArraySlice<UInt8>, isLast: Bool) -> Found? {
        let start = bytes.startIndex
        var afterStart = start
        if bytes[start] == UInt8(ascii: "<") {
            guard bytes.count > 1 || isLast else { return nil }
            if bytes.count > 1, isTag(bytes[start + 1]) {
                return endOfTag(bytes).map { tag(bytes[..<$0], end: $0) }
            }
            afterStart += 1
        }
        let next = bytes[afterStart...].firstIndex(of: UInt8(ascii: "<"))
        guard let end = next ?? (isLast ? bytes.endIndex : nil) else { return nil }
        return Found(token: .text(decoded(bytes[..<end])), end: end)
    }

    // MARK: - Tags

    /// Whether a byte after `<` is the second one of a tag.
    private static func isTag(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 || "/!?_".utf8.contains(byte)
    }

    private static let (comment, content) = (Array("<!--".utf8), Array("<![CDATA[".utf8))

    /// The index after the tag or comment that begins here; nil where it does not end.
    private static func endOfTag(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.starts(with: comment) { return end(of: "-->", in: bytes.dropFirst(4)) }
        if bytes.starts(with: content) { return end(of: "]]>", in: bytes.dropFirst(9)) }
        if bytes.count < 9, content.starts(with: bytes) || comment.starts(with: bytes) { return nil }
        // A document type may have declarations of its own in brackets.
        let isDeclaration = bytes.dropFirst().first == UInt8(ascii: "!")
        var depth = 0
        var quote: UInt8?
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">"), depth <= 0 {
                return index + 1
            } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && previous == UInt8(ascii: "=") {
                quote = byte
            } else if isDeclaration {
                if byte == UInt8(ascii: "[") { depth += 1 } else if byte == UInt8(ascii: "]") { depth -= 1 }
            }
            if byte > 0x20 { previous = byte }
        }
        return nil
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        var index = bytes.startIndex
        while let next = bytes[index...].firstIndex(of: mark[0]) {
            if bytes[next...].starts(with: mark) { return next + mark.count }
            index = next + 1
        }
        return nil
    }

    private static func tag(_ bytes: ArraySlice<UInt8>, end: Int) -> Found {
        if bytes.starts(with: comment) {
            return Found(token: .comment(String(utf8OrLatin1: bytes.dropFirst(4).dropLast(3))), end: end)
        }
        if bytes.starts(with: content) {
            return Found(token: .text(String(utf8OrLatin1: bytes.dropFirst(9).dropLast(3))), end: end)
        }
        var inner = bytes.dropFirst().dropLast()
        if inner.first == UInt8(ascii: "!") || inner.first == UInt8(ascii: "?") {
            return Found(token: .comment(String(utf8OrLatin1: inner)), end: end)
        }
        let isEnd = inner.first == UInt8(ascii: "/")
        if isEnd { inner = inner.dropFirst() }
        let name = lowercased(word(&inner))
        guard !name.isEmpty else { return Found(token: nil, end: end) }
        if isEnd { return Found(token: .end(name), end: end) }
        return Found(token: .start(name, attributes(inner)), end: end, isEmptyElement: isEmptyElement(inner))
    }

    /// - Parameter rest: a tag after its name. That of `<a href=http://example.org/>` is not empty.
    private static func isEmptyElement(_ rest: ArraySlice<UInt8>) -> Bool {
        guard rest.last == UInt8(ascii: "/") else { return false }
        guard let before = rest.dropLast().last else { return true }
        return before <= 0x20 || before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var rest = bytes
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty, attributes.count < maxAttributes else { return attributes }
            let name = lowercased(word(&rest))
            rest = rest.drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: "=") else {
                if name.isEmpty { rest = rest.dropFirst() } else { attributes[name] = attributes[name] ?? "" }
                continue
            }
            rest = rest.dropFirst().drop { $0 <= 0x20 }
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != quote }
                rest = rest.dropFirst(value.count + 1)
            } else {
                value = rest.prefix { $0 > 0x20 }
                rest = rest.dropFirst(value.count)
            }
            if !name.isEmpty { attributes[name] = attributes[name] ?? decoded(value) }
        }
    }

    /// A name of a tag or an attribute.
    private static func word(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let word = bytes.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
        bytes = bytes.dropFirst(word.count)
        return word
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(utf8OrLatin1: bytes.prefix(maxName)).lowercased()
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        CharacterReferences.standard.decoded(String(utf8OrLatin1: bytes))
    }
}
