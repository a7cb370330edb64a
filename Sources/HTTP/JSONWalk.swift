import FoundationEssentials

/// Walks JSON text (RFC 8259) without building anything of it but the names asked for: a body's values are
/// PostgreSQL's to read, and a bulk insert has thousands of them.
public struct JSONWalk {
    public struct Malformed: Error {
        public init() {}
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Arrays and objects inside each other, at most: deeper than any document people write, far from the stack's end.
    private static let deepest = 512

    /// - Parameter bytes: UTF-8, validated by the caller.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What the next value starts with, blanks skipped; nil at the end.
    public var next: UInt8? {
        mutating get {
            while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
    }

    /// Nothing but blanks may follow the document.
    public mutating func end() throws(Malformed) {
        guard next == nil else { throw Malformed() }
    }

    /// The names of an object's members, in order, doubled ones doubled.
    public mutating func names() throws(Malformed) -> [String] {
        var names: [String] = []
        try object(depth: 1) { name, _ in names.append(name) }
        return names
    }

    /// An object's members in order, each with its value as JSON text.
    public mutating func members(_ member: (String, ArraySlice<UInt8>) -> Void) throws(Malformed) {
        try object(depth: 1, member)
    }

    /// What a JSON string says; nil for other JSON text.
    public static func string(_ value: ArraySlice<UInt8>) -> String? {
        guard value.first == UInt8(ascii: "\"") else { return nil }
        return try? text(value, isEscaped: value.contains(UInt8(ascii: "\\")))
    }

    /// An array, each element read by `element`.
    public mutating func array(_ element: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        try take("[")
        if next == UInt8(ascii: "]") { return position += 1 }
        while true {
            try element(&self)
            if next == UInt8(ascii: "]") { return position += 1 }
            try take(",")
        }
    }

    // MARK: - Values

    private enum Interest { case members, syntax }

    private mutating func object(
        depth: Int, for interest: Interest = .members, _ member: (String, ArraySlice<UInt8>) -> Void
    ) throws(Malformed) {
        guard depth <= Self.deepest else { throw Malformed() }
        try take("{")
        if next == UInt8(ascii: "}") { return position += 1 }
        while true {
            guard next == UInt8(ascii: "\"") else { throw Malformed() }
            let start = position
            let isEscaped = try string()
            let end = position
            try take(":")
            _ = next
            let valueStart = position
            try value(depth: depth)
            if interest == .members {
                member(try Self.text(bytes[start..<end], isEscaped: isEscaped), bytes[valueStart..<position])
            }
            if next == UInt8(ascii: "}") { return position += 1 }
            try take(",")
        }
    }

    private mutating func value(depth: Int) throws(Malformed) {
        switch next {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try object(depth: depth + 1, for: .syntax) { _, _ in }
        case UInt8(ascii: "["):
            guard depth < Self.deepest else { throw Malformed() }
            try array { walk throws(Malformed) in try walk.value(depth: depth + 1) }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    /// A string, its quotes included.
    ///
    /// - Returns: whether it has escapes.
    private mutating func string() throws(Malformed) -> Bool {
        position += 1
        var isEscaped = false
        while true {
            position = endOfRun()
            guard position < bytes.count else { throw Malformed() }
            position += 1
            switch bytes[position - 1] {
            case UInt8(ascii: "\""): return isEscaped
            case UInt8(ascii: "\\"):
                isEscaped = true
                try escape()
            default: throw Malformed()
            }
        }
    }

    /// Where the characters of a string that stand for themselves end. A string may hold a page.
    private func endOfRun() -> Int {
        let text = bytes.span
        var index = position
        while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\"), text[index] >= 0x20 {
            index += 1
        }
        return index
    }

    private mutating func escape() throws(Malformed) {
        guard position < bytes.count else { throw Malformed() }
        let kind = bytes[position]
        position += 1
        if kind == UInt8(ascii: "u") {
            guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy(Self.isHexDigit) else {
                throw Malformed()
            }
            position += 4
        } else if !"\"\\/bfnrt".utf8.contains(kind) {
            throw Malformed()
        }
    }

    /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`
    private mutating func number() throws(Malformed) {
        skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { skip("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
        guard position > start else { throw Malformed() }
    }

    private mutating func word(_ word: StaticString) throws(Malformed) {
        let end = position + word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[position..<end].elementsEqual(expected) else { throw Malformed() }
        position = end
    }

    // MARK: - Bytes

    private mutating func take(_ byte: Unicode.Scalar) throws(Malformed) {
        guard next == UInt8(ascii: byte) else { throw Malformed() }
        position += 1
    }

    @discardableResult
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// What a string token says. Names with escapes are rare enough for the whole decoder.
    private static func text(_ token: ArraySlice<UInt8>, isEscaped: Bool) throws(Malformed) -> String {
        guard isEscaped else { return String(decoding: token.dropFirst().dropLast(), as: UTF8.self) }
        do { return try JSONDecoder().decode(String.self, from: Data(token)) } catch { throw Malformed() }
    }
}
