/// A JSON value. Supports what JSON-LD in pages and the output lines of the extract command need.
///
/// This does not use Foundation: pages are megabytes inside a single string, and the command must start within
/// milliseconds.
public enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    /// Members in the order written. If a key occurs more than once, the last one counts.
    case object([Member])

    public struct Member: Equatable, Sendable {
        public let key: String
        public let value: JSON

        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// Returns the member of an object; nil for every other value.
    public subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var array: [JSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    // MARK: Reading

    /// Parses one value, surrounded by nothing but white space. Returns nil for anything else, and for more than 200
    /// levels of nesting.
    public init?(parsing text: some Sequence<UInt8>) {
        let text = Array(text)
        var value: JSON?
        text.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(text: bytes)
            value = parser.parseDocument()
        }
        guard let value else { return nil }
        self = value
    }

    /// Parses JSON that people write by hand into pages: with line ends in strings, commas at the end of lists,
    /// comments and HTML or CDATA markers around it, or a semicolon after it. Returns nil if the text is truncated or
    /// has any other error.
    public init?(parsingLeniently text: [UInt8]) {
        var value: JSON?
        text.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(text: bytes, isLenient: true)
            value = parser.parseDocument()
        }
        guard let value else { return nil }
        self = value
    }

    // MARK: Writing

    /// The value as compact JSON.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let value):
            if let whole = Int(exactly: value) { output += "\(whole)".utf8 } else { output += "\(value)".utf8 }
        case .string(let text): JSON.write(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                JSON.write(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a quoted string. The Unicode line separators are escaped although JSON allows them, so that every reader
    /// sees a single line.
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            var index = 0
            while index < bytes.count {
                guard let (escape, length) = escape(of: bytes, at: index) else {
                    index += 1
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                output += escape.utf8
                index += length
                start = index
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Returns the escape sequence for the character that begins at `index` and the character's length in bytes; nil
    /// for a character that needs no escape.
    @inline(__always)
    private static func escape(of bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (String, length: Int)? {
        switch bytes[index] {
        case UInt8(ascii: "\""): ("\\\"", 1)
        case UInt8(ascii: "\\"): ("\\\\", 1)
        case 0x0A: ("\\n", 1)
        case 0x0D: ("\\r", 1)
        case 0x09: ("\\t", 1)
        case 0..<0x10: ("\\u000" + String(bytes[index], radix: 16), 1)
        case 0x10..<0x20: ("\\u00" + String(bytes[index], radix: 16), 1)
        // U+0085, U+2028, U+2029. A string's storage is valid UTF-8, so the bytes that a first byte announces are
        // present.
        case 0xC2 where bytes[index + 1] == 0x85: ("\\u0085", 2)
        case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8:
            (bytes[index + 2] == 0xA8 ? "\\u2028" : "\\u2029", 3)
        default: nil
        }
    }
}

/// Parses JSON by the grammar of RFC 8259. Recursion is limited by `maximumDepth`.
private struct JSONParser {
    let text: UnsafeBufferPointer<UInt8>
    var isLenient = false
    var index = 0
    let maximumDepth = 200

    mutating func parseDocument() -> JSON? {
        guard let value = parseValue(depth: 0) else { return nil }
        skipSpace()
        // In a page the rest is a marker, or a second value, which is ignored.
        return isLenient || index == text.count ? value : nil
    }

    private mutating func skipSpace() {
        while index < text.count {
            if text[index] == 0x20 || text[index] == 0x0A || text[index] == 0x0D || text[index] == 0x09 {
                index += 1
            } else if !isLenient || !skipMark() {
                return
            }
        }
    }

    /// Skips `/* … */`, `//…` and the markers that hide scripts from old browsers.
    private mutating func skipMark() -> Bool {
        for (opening, closing) in Self.marks where text[index...].starts(with: opening) {
            index += opening.count
            guard !closing.isEmpty else { return true }
            while index < text.count, !text[index...].starts(with: closing) { index += 1 }
            index = min(index + closing.count, text.count)
            return true
        }
        return false
    }

    private static let marks: [(opening: [UInt8], closing: [UInt8])] = [
        (Array("<![CDATA[".utf8), []), (Array("//<![CDATA[".utf8), []), (Array("/*<![CDATA[*/".utf8), []), (Array("<!--".utf8), []),
        (Array("\u{FEFF}".utf8), []), (Array("\u{A0}".utf8), []), (Array("/*".utf8), Array("*/".utf8)), (Array("//".utf8), [0x0A]),
    ]

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < text.count, text[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(word: StaticString, _ value: JSON) -> JSON? {
        let count = word.utf8CodeUnitCount
        guard index + count <= text.count else { return nil }
        let here = UnsafeBufferPointer(rebasing: text[index..<index + count])
        guard word.withUTF8Buffer({ $0.elementsEqual(here) }) else { return nil }
        index += count
        return value
    }

    private mutating func parseValue(depth: Int) -> JSON? {
        skipSpace()
        guard index < text.count, depth < maximumDepth else { return nil }
        switch text[index] {
        case UInt8(ascii: "{"): return parseObject(depth: depth)
        case UInt8(ascii: "["): return parseArray(depth: depth)
        case UInt8(ascii: "\""): return parseString().map { .string($0) }
        case UInt8(ascii: "t"): return take(word: "true", .bool(true))
        case UInt8(ascii: "f"): return take(word: "false", .bool(false))
        case UInt8(ascii: "n"): return take(word: "null", .null)
        default: return parseNumber()
        }
    }

    private mutating func parseObject(depth: Int) -> JSON? {
        index += 1
        var members: [JSON.Member] = []
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            if isLenient, index < text.count, text[index] == UInt8(ascii: "}") { break }
            guard index < text.count, text[index] == UInt8(ascii: "\""), let key = parseString(),
                take(UInt8(ascii: ":")),
                let value = parseValue(depth: depth + 1)
            else { return nil }
            members.append(JSON.Member(key, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func parseArray(depth: Int) -> JSON? {
        index += 1
        var values: [JSON] = []
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            skipSpace()
            if isLenient, index < text.count, text[index] == UInt8(ascii: "]") { break }
            guard let value = parseValue(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(values) : nil
    }

    /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`. A number beyond the range of `Double` becomes the greatest
    /// finite one.
    private mutating func parseNumber() -> JSON? {
        let start = index
        skip("-")
        if !skip("0") && !skipDigits() { return nil }
        if skip(".") && !skipDigits() { return nil }
        if skip("e") || skip("E") {
            if !skip("+") { skip("-") }
            if !skipDigits() { return nil }
        }
        let written = String(decoding: UnsafeBufferPointer(rebasing: text[start..<index]), as: UTF8.self)
        return Double(written).map { .number(min(max($0, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)) }
    }

    @discardableResult
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while index < text.count, text[index] >= 0x30, text[index] <= 0x39 { index += 1 }
        return index > start
    }

    private mutating func parseString() -> String? {
        parseStringBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func parseStringBytes() -> [UInt8]? {
        index += 1
        var content: [UInt8] = []
        while index < text.count {
            let start = index
            while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\"), text[index] >= 0x20 {
                index += 1
            }
            content.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            guard index < text.count else { return nil }
            index += 1
            switch text[index - 1] {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"):
                guard let scalar = parseEscape() else { return nil }
                if scalar.value < 0x80 {
                    content.append(UInt8(truncatingIfNeeded: scalar.value))
                } else {
                    UTF8.encode(scalar).map { content.append(contentsOf: $0) }
                }
            case let control where isLenient: content.append(control == 0 ? 0x20 : control)
            default: return nil
            }
        }
        return nil
    }

    private mutating func parseEscape() -> Unicode.Scalar? {
        guard index < text.count else { return nil }
        let letter = text[index]
        index += 1
        switch letter {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "u"): return parseCodeUnits()
        default: return isLenient && letter < 0x80 ? Unicode.Scalar(letter) : nil
        }
    }

    /// Parses four hexadecimal digits, and the second half of a surrogate pair. A lone surrogate becomes U+FFFD.
    private mutating func parseCodeUnits() -> Unicode.Scalar? {
        guard let first = hexadecimal(at: index) else { return nil }
        index += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"),
            let second = hexadecimal(at: index + 2), (0xDC00...0xDFFF).contains(second)
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private func hexadecimal(at start: Int) -> UInt32? {
        guard start + 4 <= text.count else { return nil }
        let digits = text[start..<start + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
