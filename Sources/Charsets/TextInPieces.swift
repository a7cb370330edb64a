/// Decodes a large text piece by piece, without keeping it in memory.
///
/// Pieces that are UTF-8 stay as they are, and so do damaged ones of a text in UTF-8. Another piece decides on the
/// encoding: the one that the text declares for itself, the one that is detected, or windows-1252. Texts in ISO-2022-JP
/// are valid UTF-8 and are not decoded.
public struct TextInPieces {
    /// Bytes that are decoded at once, so that the detection sees enough of the text.
    private static let pieceLength = 64 << 10
    /// The largest number of bytes that wait for a place where the text can be split.
    private static let maxRest = 1 << 20

    private var rest: [UInt8] = []
    private var isFirst = true
    private var declared: Encoding?
    private var encoding: Encoding?
    /// Whether the bytes are not text.
    private var isBinary = false
    /// Whether the text is UTF-8: it says so, or a piece had characters beyond ASCII.
    private var isUTF8: Bool

    /// - Parameter isUTF8: whether a byte order mark says so.
    public init(isUTF8: Bool = false) { self.isUTF8 = isUTF8 }

    /// - Returns: what can be decoded so far, in UTF-8. Bytes of a file that is no text are returned as they are.
    public mutating func add(_ piece: [UInt8]) -> [UInt8] {
        rest += piece
        guard rest.count >= Self.pieceLength else { return [] }
        // The encodings that are decoded here have no byte below 0x30 within a character of several bytes.
        let end = rest.lastIndex { $0 < 0x30 }.map { $0 + 1 } ?? (rest.count < Self.maxRest ? 0 : rest.count)
        defer { rest.removeFirst(end) }
        return decoded(Array(rest[..<end]))
    }

    /// - Returns: what is left, in UTF-8.
    public mutating func end() -> [UInt8] {
        defer { rest = [] }
        return decoded(rest)
    }

    private mutating func decoded(_ bytes: [UInt8]) -> [UInt8] {
        if isFirst, !bytes.isEmpty {
            isFirst = false
            declared = Prescan.declaration(in: bytes[...])
            // Archives and pictures are recognised by their bytes.
            isBinary = bytes.contains(0)
            isUTF8 = isUTF8 || declared == .utf8
        }
        if isBinary { return bytes }
        if String(validating: bytes, as: UTF8.self) != nil {
            isUTF8 = isUTF8 || encoding == nil && bytes.contains { $0 >= 0x80 }
            return bytes
        }
        if isUTF8 || Self.isDamagedUTF8(bytes) { return bytes }
        if encoding == nil {
            encoding = declared ?? EncodingGuess.encoding(of: bytes[...]) ?? .windows1252
        }
        return Array((encoding ?? .windows1252).text(of: bytes[...]).utf8)
    }

    /// Whether more characters beyond ASCII are valid than not. Programs that cut titles cut characters, too.
    private static func isDamagedUTF8(_ bytes: [UInt8]) -> Bool {
        var (invalid, valid) = (0, 0)
        var decoder = UTF8()
        var source = bytes.makeIterator()
        while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): valid += scalar.value >= 0x80 ? 1 : 0
            case .error: invalid += 1
            case .emptyInput: return valid > invalid
            }
        }
    }
}
