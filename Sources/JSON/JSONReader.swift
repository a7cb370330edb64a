/// Reads JSON text (RFC 8259) without building values that are not used. PostgreSQL parses the values of a body, and
/// a bulk insert has thousands of them.
public struct JSONReader {
    /// The text is not JSON, or has another structure than the caller expects.
    public struct Malformed: Error {
        public init() {}
    }

    /// Which texts are accepted.
    public enum Grammar: Sendable {
        /// RFC 8259.
        case standard
        /// JSON that people write by hand into pages: also with line ends and unknown escapes in strings, a comma after
        /// the last element, comments, and the marks that hide scripts from old browsers.
        case handwritten
    }

    private let bytes: [UInt8]
    private let grammar: Grammar
    private var position = 0

    /// The maximum nesting of arrays and objects: more than real documents have, and far from a stack overflow.
    private static let maxDepth = 512

    /// - Parameter bytes: valid UTF-8.
    public init(_ bytes: [UInt8], _ grammar: Grammar = .standard) {
        self.bytes = bytes
        self.grammar = grammar
    }

    /// The first byte of the next token after blanks; nil at the end.
    public var next: UInt8? {
        mutating get {
            repeat {
                while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
            } while grammar == .handwritten && skipMark()
            return position < bytes.count ? bytes[position] : nil
        }
    }

    /// Throws unless only blanks remain.
    public mutating func end() throws(Malformed) {
        guard next == nil else { throw Malformed() }
    }

    /// The names of an object's members, in order. A name that occurs twice is returned twice.
    ///
    /// - Parameter limit: the number of names to return. The members after them are only checked.
    public mutating func names(limit: Int = .max) throws(Malformed) -> [String] {
        var names: [String] = []
        try eachMember { name, isEscaped, reader throws(Malformed) in
            if names.count < limit { names.append(try reader.text(name, isEscaped: isEscaped)) }
            try reader.value(depth: 1)
        }
        return names
    }

    /// Calls `member` for each member of an object, in order, with its value as JSON text.
    public mutating func members(_ member: (String, ArraySlice<UInt8>) -> Void) throws(Malformed) {
        try object { name, reader throws(Malformed) in member(name, try reader.slice()) }
    }

    /// Calls `member` for each member of an object, in order. `member` must read the value.
    public mutating func object(_ member: (String, inout Self) throws(Malformed) -> Void) throws(Malformed) {
        try eachMember { name, isEscaped, reader throws(Malformed) in
            try member(try reader.text(name, isEscaped: isEscaped), &reader)
        }
    }

    /// The next value as JSON text.
    public mutating func slice() throws(Malformed) -> ArraySlice<UInt8> {
        _ = next
        let start = position
        try value(depth: 1)
        return bytes[start..<position]
    }

    /// The content of the next value if it is a string, as UTF-8; nil for another value, which is skipped. It reads a
    /// string in one pass, which matters for strings that contain a page.
    ///
    /// - Parameter capacity: the expected length of a string with escapes, in bytes.
    public mutating func stringBytes(capacity: Int = 0) throws(Malformed) -> [UInt8]? {
        guard next == UInt8(ascii: "\"") else {
            try value(depth: 1)
            return nil
        }
        position += 1
        var content: [UInt8] = []
        while true {
            let end = endOfRun()
            guard end < bytes.count else { throw Malformed() }
            if content.isEmpty, bytes[end] == UInt8(ascii: "\"") {
                defer { position = end + 1 }
                return Array(bytes[position..<end])
            }
            if content.isEmpty { content.reserveCapacity(capacity) }
            content.append(contentsOf: bytes[position..<end])
            position = end + 1
            switch bytes[end] {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"): try appendEscaped(to: &content)
            case let control where grammar == .handwritten: content.append(control == 0 ? 0x20 : control)
            default: throw Malformed()
            }
        }
    }

    /// The content of a JSON string; nil for other JSON text.
    public static func string(_ value: ArraySlice<UInt8>) -> String? {
        var reader = JSONReader(Array(value))
        guard let content = try? reader.stringBytes() else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    /// Calls `element` for each element of an array. `element` must read the value.
    public mutating func array(_ element: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        try take("[")
        if next == UInt8(ascii: "]") { return position += 1 }
        while true {
            try element(&self)
            if try isAtEnd("]") { return }
        }
    }

    // MARK: - Values

    /// Calls `member` for each member of an object, with the place of its name. `member` must read the value.
    private mutating func eachMember(
        _ member: (_ name: Range<Int>, _ isEscaped: Bool, inout Self) throws(Malformed) -> Void
    ) throws(Malformed) {
        try take("{")
        if next == UInt8(ascii: "}") { return position += 1 }
        while true {
            guard next == UInt8(ascii: "\"") else { throw Malformed() }
            let start = position
            let isEscaped = try string()
            let name = start..<position
            try take(":")
            try member(name, isEscaped, &self)
            if try isAtEnd("}") { return }
        }
    }

    private mutating func value(depth: Int) throws(Malformed) {
        switch next {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            guard depth < Self.maxDepth else { throw Malformed() }
            try eachMember { _, _, reader throws(Malformed) in try reader.value(depth: depth + 1) }
        case UInt8(ascii: "["):
            guard depth < Self.maxDepth else { throw Malformed() }
            try array { reader throws(Malformed) in try reader.value(depth: depth + 1) }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    /// Skips a string with its quotes.
    ///
    /// - Returns: whether the string has escapes.
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
            default:
                guard grammar == .handwritten else { throw Malformed() }
                isEscaped = true
            }
        }
    }

    /// The index of the next quote, backslash or control character.
    private func endOfRun() -> Int {
        let text = bytes.span
        var index = position
        while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\"),
            text[index] >= 0x20
        {
            index += 1
        }
        return index
    }

    /// Appends the character of an escape; the position is after the backslash. An unpaired surrogate becomes U+FFFD.
    private mutating func appendEscaped(to content: inout [UInt8]) throws(Malformed) {
        let start = position
        try escape()
        switch bytes[start] {
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var unit = codeUnit(at: start + 1)
            if unit & 0xFC00 == 0xD800, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            {
                let second = position + 2
                var ahead = self
                ahead.position += 1
                try ahead.escape()
                if codeUnit(at: second) & 0xFC00 == 0xDC00 {
                    unit = 0x10000 + (unit & 0x3FF) << 10 + codeUnit(at: second) & 0x3FF
                    position = ahead.position
                }
            }
            content += Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
        default: content.append(bytes[start])
        }
    }

    /// The code unit of four hexadecimal digits.
    ///
    /// - Precondition: the digits have been checked.
    private func codeUnit(at start: Int) -> UInt32 {
        bytes[start..<start + 4].reduce(0) { $0 << 4 | UInt32($1 <= UInt8(ascii: "9") ? $1 & 15 : ($1 & 7) + 9) }
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
        } else if !Self.isEscape(kind), grammar == .standard || kind >= 0x80 {
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
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard position > start else { throw Malformed() }
    }

    private mutating func word(_ word: StaticString) throws(Malformed) {
        let end = position + word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[position..<end].elementsEqual(expected) else { throw Malformed() }
        position = end
    }

    // MARK: - Bytes

    /// After an element: skips the closing bracket, or the comma before another element.
    ///
    /// - Returns: whether the array or object has ended.
    private mutating func isAtEnd(_ bracket: Unicode.Scalar) throws(Malformed) -> Bool {
        if next != UInt8(ascii: bracket) {
            try take(",")
            guard grammar == .handwritten, next == UInt8(ascii: bracket) else { return false }
        }
        position += 1
        return true
    }

    /// Skips `/* … */`, `//…` and the marks that hide scripts from old browsers.
    ///
    /// - Returns: false if there is none at this position.
    private mutating func skipMark() -> Bool {
        // All marks begin with one of these bytes.
        guard position < bytes.count, [0x3C, 0x2F, 0xEF, 0xC2].contains(bytes[position]) else { return false }
        for (opening, closing) in Self.marks where bytes[position...].starts(with: opening) {
            position += opening.count
            guard !closing.isEmpty else { return true }
            while position < bytes.count, !bytes[position...].starts(with: closing) { position += 1 }
            position = min(position + closing.count, bytes.count)
            return true
        }
        return false
    }

    private static let marks: [(opening: [UInt8], closing: [UInt8])] = [
        (Array("<![CDATA[".utf8), []), (Array("//<![CDATA[".utf8), []), (Array("/*<![CDATA[*/".utf8), []),
        (Array("<!--".utf8), []), (Array("\u{FEFF}".utf8), []), (Array("\u{A0}".utf8), []),
        (Array("/*".utf8), Array("*/".utf8)), (Array("//".utf8), [0x0A]),
    ]

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

    private static func isEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The content of a string token of this text.
    private func text(_ token: Range<Int>, isEscaped: Bool) throws(Malformed) -> String {
        guard isEscaped else { return String(decoding: bytes[token].dropFirst().dropLast(), as: UTF8.self) }
        var reader = self
        reader.position = token.lowerBound
        return String(decoding: try reader.stringBytes() ?? [], as: UTF8.self)
    }
}
