/// A JSON value (RFC 8259).
///
/// This does not use Foundation: pages are megabytes inside a single string, and `lectern extract` must start within
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
