import Charsets

/// Text in UTF-8 without a byte order mark, made of text in another encoding.
enum TextPieces {
    static func of(_ pieces: @escaping Pieces) -> Pieces {
        let text = TextDecoder(pieces)
        return { try text.next() }
    }

    /// All of a text.
    ///
    /// - Throws: ``UnreadableFile`` where it has more bytes than the limit.
    static func all(_ pieces: @escaping Pieces, limit: Int) throws -> [UInt8] {
        let pieces = of(pieces)
        var text: [UInt8] = []
        while let piece = try pieces() {
            text += piece
            guard text.count <= limit else {
                throw UnreadableFile("This file is too large for its format: at most \(limit >> 20) MB are read.")
            }
        }
        return text
    }
}

/// Converts a text to UTF-8, as its byte order mark or its declaration says, or as is detected.
private final class TextDecoder {
    private enum Encoding { case unknown, utf8, utf16(isBigEndian: Bool) }

    private let pieces: Pieces
    private var encoding = Encoding.unknown
    /// Bytes of a character that goes on in the next piece.
    private var rest: [UInt8] = []
    private var text = TextInPieces()
    private var isAtEnd = false

    init(_ pieces: @escaping Pieces) { self.pieces = pieces }

    func next() throws -> [UInt8]? {
        switch encoding {
        case .unknown: return try first()
        case .utf8: return try decoded([])
        case .utf16(let isBigEndian):
            if let piece = try pieces() { return utf8(piece, isBigEndian) }
            defer { rest = [] }
            return rest.isEmpty ? nil : Array("\u{FFFD}".utf8)
        }
    }

    private func first() throws -> [UInt8]? {
        var head: [UInt8] = []
        while head.count < 3, let piece = try pieces() { head += piece }
        let isBigEndian = head.starts(with: [0xFE, 0xFF])
        if isBigEndian || head.starts(with: [0xFF, 0xFE]) {
            encoding = .utf16(isBigEndian: isBigEndian)
            return utf8(Array(head.dropFirst(2)), isBigEndian)
        }
        encoding = .utf8
        if head.starts(with: [0xEF, 0xBB, 0xBF]) {
            head.removeFirst(3)
            text = TextInPieces(isUTF8: true)
        }
        return try decoded(head)
    }

    /// The next piece of a text without the byte order mark of UTF-16, which may begin with bytes that are read already.
    private func decoded(_ head: [UInt8]) throws -> [UInt8]? {
        var decoded = text.add(head)
        while decoded.isEmpty, !isAtEnd {
            if let piece = try pieces() {
                decoded = text.add(piece)
            } else {
                isAtEnd = true
                decoded = text.end()
            }
        }
        return decoded.isEmpty ? nil : decoded
    }

    private func utf8(_ piece: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
        func unit(_ bytes: [UInt8], _ at: Int) -> UInt16 {
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        let bytes = rest + piece
        var end = bytes.count & ~1
        // The first half of a surrogate pair waits for the second.
        if end >= 2, unit(bytes, end - 2) & 0xFC00 == 0xD800 { end -= 2 }
        rest = Array(bytes[end...])
        return Array(String(decoding: stride(from: 0, to: end, by: 2).map { unit(bytes, $0) }, as: UTF16.self).utf8)
    }
}
