/// Decodes character references that remain after parsing, as Readability does.
enum EscapedText {
    private static let named: [(name: String, character: String)] = [
        ("quot;", "\""), ("amp;", "&"), ("apos;", "'"), ("lt;", "<"), ("gt;", ">"),
    ]

    /// Replaces U+0000 with U+FFFD, as HTML does. JSON can contain it; databases refuse it.
    static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Decodes the five names of XML first, then numeric references, each once. The result has no U+0000.
    static func decode(_ text: String) -> String {
        let text = withoutNUL(text)
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let once = replaceReferences(in: Array(text.utf8)) { rest in
            named.first { rest.starts(with: $0.name.utf8) }.map { ($0.name.utf8.count, $0.character) }
        }
        return String(decoding: replaceReferences(in: once, by: character), as: UTF8.self)
    }

    /// Returns the character of a numeric reference after `&`, and the length of the reference.
    private static func character(_ rest: ArraySlice<UInt8>) -> (length: Int, text: String)? {
        guard rest.first == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = rest.dropFirst().first.map(lowercased) == UInt8(ascii: "x")
        let start = rest.startIndex + (isHexadecimal ? 2 : 1)
        var number: UInt32 = 0
        var end = start
        while end < rest.endIndex, let digit = digit(rest[end], isHexadecimal) {
            // Clamped: beyond the last code point the result no longer changes.
            number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x110000)
            end += 1
        }
        guard end > start, end < rest.endIndex, rest[end] == UInt8(ascii: ";") else { return nil }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        return (end + 1 - rest.startIndex, String(scalar ?? "\u{FFFD}"))
    }

    private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt32? {
        switch lowercased(byte) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal:
            UInt32(lowercased(byte) - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    private static func replaceReferences(
        in text: [UInt8], by replacement: (ArraySlice<UInt8>) -> (length: Int, text: String)?
    ) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            output += rest[..<ampersand]
            rest = rest[(ampersand + 1)...]
            if let replaced = replacement(rest) {
                output += replaced.text.utf8
                rest = rest.dropFirst(replaced.length)
            } else {
                output.append(UInt8(ascii: "&"))
            }
        }
        return output + rest
    }
}
