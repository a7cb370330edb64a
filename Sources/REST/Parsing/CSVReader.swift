/// Reads comma-separated values (RFC 4180), line by line.
struct CSVReader {
    private let bytes: [UInt8]
    private var position = 0

    /// A field as it is in the text. In quotes, two quotes stand for one.
    struct Field {
        /// Without the quotes around it.
        var text: ArraySlice<UInt8>
        var isQuoted: Bool

        /// Calls `use` for each byte of the value.
        func forEachByte(_ use: (UInt8) -> Void) {
            var isSecondQuote = false
            for byte in text {
                isSecondQuote = isQuoted && byte == UInt8(ascii: "\"") && !isSecondQuote
                if !isSecondQuote { use(byte) }
            }
        }
    }

    /// - Parameter bytes: UTF-8. It may begin with a byte order mark, which spreadsheets write.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Calls `use` for each field of the next line that is not empty. Returns false at the end.
    mutating func line(_ use: (Field) throws(QueryError) -> Void) throws(QueryError) -> Bool {
        while position < bytes.count, Self.isLineEnd(bytes[position]) { position += 1 }
        guard position < bytes.count else { return false }
        repeat { try use(try field()) } while skipComma()
        return true
    }

    private mutating func field() throws(QueryError) -> Field {
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try quoted() }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ","), !Self.isLineEnd(bytes[position]) {
            guard bytes[position] != UInt8(ascii: "\"") else { throw .badBody("A CSV field has a quote inside") }
            position += 1
        }
        return Field(text: bytes[start..<position], isQuoted: false)
    }

    private mutating func quoted() throws(QueryError) -> Field {
        let start = position + 1
        position = start
        while true {
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
            guard position < bytes.count else { throw .badBody("A CSV field has no closing quote") }
            position += 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { break }
            position += 1
        }
        guard position == bytes.count || bytes[position] == UInt8(ascii: ",") || Self.isLineEnd(bytes[position]) else {
            throw .badBody("A CSV field continues after its closing quote")
        }
        return Field(text: bytes[start..<position - 1], isQuoted: true)
    }

    private mutating func skipComma() -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return false }
        position += 1
        return true
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
