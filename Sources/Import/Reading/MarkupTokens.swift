import Text

/// Splits HTML or XML into tags and texts, in pieces. Made for files that programs write: bookmarks, OPML.
struct MarkupTokens {
    enum Token: Equatable {
        /// Names are in lower case; attribute values are decoded. An element without content ends at once.
        case start(String, [String: String])
        case end(String)
        /// Decoded.
        case text(String)
        case comment(String)
    }

    /// Bytes of the longest tag, comment or text.
    private static let maxToken = 16 << 20

    private var pending: [UInt8] = []

    /// Calls `body` with each token that ends in this piece.
    mutating func add(_ piece: [UInt8], _ body: (Token) throws -> Void) throws {
        pending += piece
        try tokens(isLast: false, body)
    }

    /// Calls `body` with what is left. A tag that does not end is dropped.
    mutating func end(_ body: (Token) throws -> Void) throws { try tokens(isLast: true, body) }

    private mutating func tokens(isLast: Bool, _ body: (Token) throws -> Void) throws {
        var position = 0
        defer { pending.removeFirst(min(position, pending.count)) }
        while position < pending.count {
            let rest = pending[position...]
            if rest.first == UInt8(ascii: "<") {
                guard let end = Self.endOfTag(rest) else {
                    guard rest.count < Self.maxToken else {
                        throw UnreadableFile("A tag of this file has more than 16 MB; the file is damaged.")
                    }
                    if isLast { position = pending.count }
                    return
                }
                if let token = Self.token(rest[..<end]) {
                    try body(token)
                    if case .start(let name, _) = token, Self.isEmpty(rest[..<end]) { try body(.end(name)) }
                }
                position = end
            } else {
                guard let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? (isLast ? pending.endIndex : nil) else {
                    guard rest.count < Self.maxToken else {
                        throw UnreadableFile("A text of this file has more than 16 MB; the file is damaged.")
                    }
                    return
                }
                try body(.text(Self.decoded(rest[..<end])))
                position = end
            }
        }
    }

    /// The index after the tag or comment that begins here; nil where it does not end.
    private static func endOfTag(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.starts(with: Array("<!--".utf8)) { return end(of: "-->", in: bytes.dropFirst(4)) }
        if bytes.starts(with: Array("<![CDATA[".utf8)) { return end(of: "]]>", in: bytes.dropFirst(9)) }
        if bytes.count < 9, Array("<![CDATA[".utf8).starts(with: bytes) || Array("<!--".utf8).starts(with: bytes) {
            return nil
        }
        var quote: UInt8?
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && previous == UInt8(ascii: "=") {
                quote = byte
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

    private static func token(_ bytes: ArraySlice<UInt8>) -> Token? {
        if bytes.starts(with: Array("<!--".utf8)) { return .comment(TextPieces.string(bytes.dropFirst(4).dropLast(3))) }
        if bytes.starts(with: Array("<![CDATA[".utf8)) {
            return .text(TextPieces.string(bytes.dropFirst(9).dropLast(3)))
        }
        var inner = bytes.dropFirst().dropLast()
        if inner.first == UInt8(ascii: "!") || inner.first == UInt8(ascii: "?") {
            return .comment(TextPieces.string(inner))
        }
        let isEnd = inner.first == UInt8(ascii: "/")
        if isEnd { inner = inner.dropFirst() }
        let name = lowercased(word(&inner))
        guard !name.isEmpty else { return nil }
        return isEnd ? .end(name) : .start(name, attributes(inner))
    }

    /// Whether a tag is one of XML for an element without content: not `<a href=http://example.org/>`.
    private static func isEmpty(_ tag: ArraySlice<UInt8>) -> Bool {
        let inner = tag.dropLast()
        guard inner.last == UInt8(ascii: "/"), let before = inner.dropLast().last else { return false }
        return before <= 0x20 || before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var rest = bytes
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return attributes }
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

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String { TextPieces.string(bytes).lowercased() }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        CharacterReferences.standard.decoded(TextPieces.string(bytes))
    }
}

enum MarkupFile {
    static func read(_ pieces: @escaping Pieces, _ body: (MarkupTokens.Token) throws -> Void) throws {
        let pieces = TextPieces.of(pieces)
        var tokens = MarkupTokens()
        while let piece = try pieces() { try tokens.add(piece, body) }
        try tokens.end(body)
    }
}
