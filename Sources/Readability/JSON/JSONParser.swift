/// Parses JSON by the grammar of RFC 8259. Recursion is limited by `maximumDepth`.
struct JSONParser {
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
        (Array("<![CDATA[".utf8), []), (Array("//<![CDATA[".utf8), []), (Array("/*<![CDATA[*/".utf8), []),
        (Array("<!--".utf8), []),
        (Array("\u{FEFF}".utf8), []), (Array("\u{A0}".utf8), []), (Array("/*".utf8), Array("*/".utf8)),
        (Array("//".utf8), [0x0A]),
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
            while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\"),
                text[index] >= 0x20
            {
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
