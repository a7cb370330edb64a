/// Encodes a parameter of a header: in quotes where it is short ASCII, else in UTF-8 and in pieces (RFC 2231).
enum HeaderParameter {
    /// Bytes of a piece, so that its line has at most 78.
    private static let maxPiece = 60

    /// - Returns: the parameter on lines of its own, to be appended to a header's value.
    static func encoded(_ name: String, _ value: String) -> String {
        if value.utf8.count <= maxPiece, value.utf8.allSatisfy(isQuotable) { return ";\r\n \(name)=\"\(value)\"" }
        var pieces = ["UTF-8''"]
        for byte in value.utf8 {
            let encoded = isPlain(byte) ? String(UnicodeScalar(byte)) : escaped(byte)
            if pieces[pieces.count - 1].utf8.count + encoded.utf8.count > maxPiece { pieces.append("") }
            pieces[pieces.count - 1] += encoded
        }
        if pieces.count == 1 { return ";\r\n \(name)*=\(pieces[0])" }
        return pieces.enumerated().map { ";\r\n \(name)*\($0.offset)*=\($0.element)" }.joined()
    }

    private static func isQuotable(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether a byte stays unchanged. RFC 2231 allows some more.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || ".-_".utf8.contains(byte)
    }

    private static func escaped(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
