/// Writes small pieces of JSON text (RFC 8259).
public enum JSONText {
    /// The characters that are not escaped.
    public enum Alphabet: Sendable {
        /// All characters that JSON allows.
        case unicode
        /// ASCII without `>`, `?`, `~` and DEL; all others become `\u` escapes. The base 64 of such text contains
        /// neither `-` nor `_`, so clients that decode a token with the standard alphabet can read it.
        case token
    }

    /// A JSON string with its quotes, or `null`.
    public static func string(_ value: String?, alphabet: Alphabet = .unicode) -> String {
        guard let value else { return "null" }
        var text: [UInt8] = [0x22]
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += [0x5C, 0x22]
            case "\\": text += [0x5C, 0x5C]
            case "\n": text += [0x5C, 0x6E]
            case "\r": text += [0x5C, 0x72]
            case "\t": text += [0x5C, 0x74]
            case _ where scalar.value < 0x20: escape(UInt16(scalar.value), into: &text)
            case ">", "?", "~", "\u{7F}":
                if alphabet == .token {
                    escape(UInt16(scalar.value), into: &text)
                } else {
                    text.append(UInt8(scalar.value))
                }
            case _ where scalar.isASCII: text.append(UInt8(scalar.value))
            default:
                switch alphabet {
                case .unicode: text += Array(String(scalar).utf8)
                case .token: for unit in String(scalar).utf16 { escape(unit, into: &text) }
                }
            }
        }
        text.append(0x22)
        return String(decoding: text, as: UTF8.self)
    }

    /// A JSON object. The values of the members are JSON text.
    public static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// JSON text in the token alphabet. Characters outside the alphabet occur only inside strings, so all of them can
    /// be escaped.
    public static func inTokenAlphabet(_ json: String) -> String {
        var text: [UInt8] = []
        for scalar in json.unicodeScalars {
            switch scalar {
            case ">", "?", "~", "\u{7F}": escape(UInt16(scalar.value), into: &text)
            case _ where scalar.isASCII: text.append(UInt8(scalar.value))
            default: for unit in String(scalar).utf16 { escape(unit, into: &text) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The length that a JSON text has at most when its numbers are written without exponents, in bytes. PostgreSQL
    /// writes them so: the eight bytes `1e131071` become 131,072.
    public static func lengthWithoutExponents(of json: [UInt8]) -> Int {
        var length = json.count
        var isString = false
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\""): isString.toggle()
            case UInt8(ascii: "\\") where isString: index += 1
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard !isString else { break }
                // Also for `true` and `false`, which have no digits there.
                var exponent = 0
                var digit = index + 1
                if digit < json.count, json[digit] == UInt8(ascii: "-") || json[digit] == UInt8(ascii: "+") {
                    digit += 1
                }
                while digit < json.count, case let value = json[digit] &- UInt8(ascii: "0"), value <= 9 {
                    exponent = min(exponent * 10 + Int(value), maxExponent)
                    digit += 1
                }
                length += exponent
            default: break
            }
            index += 1
        }
        return length
    }

    /// Beyond the exponents of any database.
    private static let maxExponent = 1_000_000

    /// Appends `\uXXXX` for a UTF-16 code unit.
    private static func escape(_ unit: UInt16, into text: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        text += [0x5C, 0x75]
        for shift in [12, 8, 4, 0] { text.append(digits[Int(unit >> UInt16(shift) & 15)]) }
    }
}
