import Text

/// Splits HTML or XML into tags and texts, in pieces. Made for files that programs write: bookmarks, OPML.
struct MarkupTokens {
    /// Bytes of the longest tag, comment or text.
    private static let maxToken = 16 << 20

    private var pending: [UInt8] = []

    /// Calls `body` with each token that ends in this piece.
    mutating func add(_ piece: [UInt8], _ body: (MarkupToken) throws -> Void) throws {
        pending += piece
        try tokens(isLast: false, body)
    }

    /// Calls `body` with what is left. A tag that does not end is dropped.
    mutating func end(_ body: (MarkupToken) throws -> Void) throws { try tokens(isLast: true, body) }

    private mutating func tokens(isLast: Bool, _ body: (MarkupToken) throws -> Void) throws {
        var position = 0
        defer { pending.removeFirst(min(position, pending.count)) }
        while position < pending.count {
            let rest = pending[position...]
            guard let found = MarkupToken.first(of: rest, isLast: isLast) else {
                guard rest.count < Self.maxToken else {
                    let kind = rest.first == UInt8(ascii: "<") ? "tag" : "text"
                    throw UnreadableFile("A \(kind) of this file has more than 16 MB; the file is damaged.")
                }
                if isLast { position = pending.count }
                return
            }
            if let token = found.token {
                try body(token)
                if found.isEmptyElement, case .start(let name, _) = token { try body(.end(name)) }
            }
            position = found.end
        }
    }
}

enum MarkupFile {
    static func read(_ pieces: @escaping Pieces, _ body: (MarkupToken) throws -> Void) throws {
        let pieces = TextPieces.of(pieces)
        var tokens = MarkupTokens()
        while let piece = try pieces() { try tokens.add(piece, body) }
        try tokens.end(body)
    }
}
