import Text

/// Splits CSV text into records (RFC 4180, and what programs make of it): any line ends, quoted fields with line ends
/// and doubled quotes, a separator that the first line shows.
struct CSVRecords {
    /// Bytes of the longest field.
    private static let maxField = 16 << 20
    /// Fields of the longest record.
    private static let maxFields = 1_000

    private enum State { case start, plain, quoted, quoteInQuoted }

    private let separator: UInt8
    private var state = State.start
    private var field: [UInt8] = []
    private var record: [[UInt8]] = []
    private var isAfterReturn = false

    init(separator: UInt8) { self.separator = separator }

    /// The separator of a header line: the most frequent of comma, semicolon and tab outside of quotes.
    static func separator(of line: some Sequence<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return separators.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) } ?? UInt8(ascii: ",")
    }

    /// Calls `body` with each record that ends in this piece. Blank lines are left out.
    mutating func add(_ piece: [UInt8], _ body: ([[UInt8]]) throws -> Void) throws {
        for byte in piece {
            if isAfterReturn {
                isAfterReturn = false
                if byte == 0x0A { continue }
            }
            switch state {
            case .quoted:
                if byte == UInt8(ascii: "\"") { state = .quoteInQuoted } else { try append(byte) }
            case .quoteInQuoted where byte == UInt8(ascii: "\""):
                state = .quoted
                try append(byte)
            case .start where byte == UInt8(ascii: "\""): state = .quoted
            default:
                if byte == separator {
                    try endField()
                } else if byte == 0x0A || byte == 0x0D {
                    isAfterReturn = byte == 0x0D
                    try endRecord(body)
                } else {
                    state = .plain
                    try append(byte)
                }
            }
        }
    }

    /// Calls `body` with a last record that no line end follows.
    mutating func end(_ body: ([[UInt8]]) throws -> Void) throws {
        guard state != .quoted else {
            throw UnreadableFile("The file ends within quotation marks; it is incomplete. Export it again.")
        }
        try endRecord(body)
    }

    private mutating func append(_ byte: UInt8) throws {
        guard field.count < Self.maxField else {
            throw UnreadableFile("A field of this file has more than 16 MB; a quotation mark may be missing.")
        }
        field.append(byte)
    }

    private mutating func endField() throws {
        guard record.count < Self.maxFields else {
            throw UnreadableFile("A line of this file has more than 1,000 fields; this is not a table.")
        }
        record.append(field)
        field.removeAll(keepingCapacity: true)
        state = .start
    }

    private mutating func endRecord(_ body: ([[UInt8]]) throws -> Void) throws {
        let isBlank = record.isEmpty && field.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        try endField()
        defer { record.removeAll(keepingCapacity: true) }
        if !isBlank { try body(record) }
    }
}

/// One record of a CSV file, whose fields are found by the names of the header.
struct CSVRow {
    fileprivate var columns: [String: Int]
    fileprivate var fields: [[UInt8]]

    /// The field of the first of these columns that exists and is not blank. Names are in lower case without blanks.
    subscript(_ names: String...) -> String? {
        for name in names {
            guard let column = columns[name], column < fields.count else { continue }
            let text = String(utf8OrLatin1: fields[column])
            if text.utf8.contains(where: { $0 > 0x20 }) { return text }
        }
        return nil
    }

    /// Whether the table has all of these columns.
    func has(_ names: String...) -> Bool { names.allSatisfy { columns[$0] != nil } }

    /// Whether the field of a column says yes.
    func isSet(_ names: String...) -> Bool {
        for name in names {
            guard let column = columns[name], column < fields.count else { continue }
            let text = String(utf8OrLatin1: fields[column]).lowercased()
            if ["true", "1", "yes", "t", "x", "y"].contains(text) { return true }
        }
        return false
    }
}

/// The header and the rows of a CSV file.
enum CSVFile {
    /// The names of a header line, in lower case, without blanks and underscores.
    static func names(_ record: [[UInt8]]) -> [String] {
        record.map { field in
            String(String(utf8OrLatin1: field).lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" })
        }
    }

    /// Calls `row` with each record after the header.
    static func read(_ pieces: @escaping Pieces, row: (CSVRow) throws -> Void) throws {
        let pieces = TextPieces.of(pieces)
        guard let head = try firstLine(pieces) else { return }
        var records = CSVRecords(separator: head.separator)
        var columns: [String: Int]?
        func body(_ record: [[UInt8]]) throws {
            guard let columns else {
                columns = Dictionary(
                    names(record).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
                return
            }
            try row(CSVRow(columns: columns, fields: record))
        }
        try records.add(head.piece, body)
        while let piece = try pieces() { try records.add(piece, body) }
        try records.end(body)
    }

    /// The names of the columns of a table, and its separator; nil for a text of blanks.
    static func header(_ head: [UInt8]) -> (names: [String], separator: UInt8)? {
        guard let (line, separator) = headerLine(head) else { return nil }
        var records = CSVRecords(separator: separator)
        var names: [String] = []
        try? records.add(Array(line) + [0x0A]) { names = Self.names($0) }
        return (names, separator)
    }

    /// The first line that is not blank, and the separator of its fields. A line such as `sep=;`, which tells Excel the
    /// separator, is left out.
    private static func headerLine(_ head: [UInt8]) -> (line: ArraySlice<UInt8>, separator: UInt8)? {
        func line(_ start: Int) -> ArraySlice<UInt8>? {
            guard let start = head[start...].firstIndex(where: { $0 > 0x20 }) else { return nil }
            return head[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        }
        guard let first = line(0) else { return nil }
        let text = String(utf8OrLatin1: first.prefix(8)).replacing("\"", with: "")
        guard first.count <= 8, text.lowercased().hasPrefix("sep="), let separator = text.utf8.dropFirst(4).first,
            let next = line(first.endIndex)
        else { return (first, CSVRecords.separator(of: first)) }
        return (next, separator)
    }

    /// The text from the header on, as far as it is read, and the separator of its fields.
    private static func firstLine(_ pieces: Pieces) throws -> (separator: UInt8, piece: [UInt8])? {
        var piece: [UInt8] = []
        while let more = try pieces() {
            piece += more
            guard let (line, separator) = headerLine(piece), line.endIndex < piece.endIndex || piece.count >= 1 << 20
            else { continue }
            return (separator, Array(piece[line.startIndex...]))
        }
        return headerLine(piece).map { ($0.separator, Array(piece[$0.line.startIndex...])) }
    }
}
