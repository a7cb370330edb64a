/// Encodes text in lines of at most 76 bytes of ASCII (RFC 2045, section 6.7).
enum QuotedPrintable {
    private static let maxLineBytes = 76

    /// - Parameter text: with lines that end with LF. The lines of the result end with CR LF.
    static func encoded(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\r\n")
    }

    private static func line(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var lines = [""]
        for (index, byte) in bytes.enumerated() {
            let piece = isPlain(byte, isLast: index == bytes.count - 1) ? String(UnicodeScalar(byte)) : escaped(byte)
            // A soft line break is a `=` at the end of the line, so one byte stays free.
            if lines[lines.count - 1].utf8.count + piece.utf8.count > maxLineBytes - 1 {
                lines[lines.count - 1] += "="
                lines.append("")
            }
            lines[lines.count - 1] += piece
        }
        return lines.joined(separator: "\r\n")
    }

    /// Whether a byte stays unchanged. Spaces at the end of a line would be lost in transport.
    private static func isPlain(_ byte: UInt8, isLast: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "="): false
        case 0x20, 0x09: !isLast
        default: (0x21...0x7E).contains(byte)
        }
    }

    private static func escaped(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "=0" + digits : "=" + digits
    }
}
