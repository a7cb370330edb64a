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

    /// An object's members in order, each value read by `member`, which goes behind it.
    public mutating func object(_ member: (String, inout Self) throws(Malformed) -> Void) throws(Malformed) {
        try take("{")
        if next == UInt8(ascii: "}") { return position += 1 }
        while true {
            guard next == UInt8(ascii: "\"") else { throw Malformed() }
            let start = position
            let isEscaped = try string()
            let name = try Self.text(bytes[start..<position], isEscaped: isEscaped)
            try take(":")
            try member(name, &self)
            if next == UInt8(ascii: "}") { return position += 1 }
            try take(",")
        }
    }

    /// The next value as JSON text.
    public mutating func slice() throws(Malformed) -> ArraySlice<UInt8> {
        _ = next
        let start = position
        try value(depth: 1)
        return bytes[start..<position]
    }

    /// What the next value says when it is a string, in bytes, those that stand for themselves as they are; nil for another
    /// value. The way for a string that holds a page: it is walked once.
    public mutating func stringBytes() throws(Malformed) -> [UInt8]? {
        guard next == UInt8(ascii: "\"") else {
            try value(depth: 1)
            return nil
        }
        position += 1
        var content: [UInt8] = []
        // No more than what is left, and mostly nearly that.
        content.reserveCapacity(bytes.count - position)
        while true {
            let end = endOfRun()
            content.append(contentsOf: bytes[position..<end])
            guard end < bytes.count else { throw Malformed() }
            position = end + 1
            switch bytes[end] {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"): try appendEscaped(to: &content)
            default: throw Malformed()
            }
        }
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

    /// Adds what an escape stands for, from behind its backslash. Half of a surrogate pair becomes U+FFFD.
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
                var rest = self
                rest.position += 1
                try rest.escape()
                if codeUnit(at: second) & 0xFC00 == 0xDC00 {
                    unit = 0x10000 + (unit & 0x3FF) << 10 + codeUnit(at: second) & 0x3FF
                    position = rest.position
                }
            }
            content += Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
        default: content.append(bytes[start])
        }
    }

    /// Four hexadecimal digits, which have been checked.
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
        } else if !Self.isEscape(kind) {
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

    /// What a string token says. Names with escapes are rare enough for the whole decoder.
    private static func text(_ token: ArraySlice<UInt8>, isEscaped: Bool) throws(Malformed) -> String {
        guard isEscaped else { return String(decoding: token.dropFirst().dropLast(), as: UTF8.self) }
        do { return try JSONDecoder().decode(String.self, from: Data(token)) } catch { throw Malformed() }
    }
}
