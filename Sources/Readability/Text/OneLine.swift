/// Texts as single lines, for lists and headings.
public enum OneLine {
    /// Returns the text with every run of white space replaced by one space; nil if nothing is left.
    static func of(_ text: String?) -> String? { of(text, limit: .max) }

    /// - Parameter limit: the number of Unicode scalars kept, counted as PostgreSQL counts characters: a single
    ///   grapheme cluster may have a million. The rest is not read.
    public static func of(_ text: String?, limit: Int) -> String? {
        guard let text else { return nil }
        var line: [UInt8] = []
        line.reserveCapacity(min(text.utf8.count, 256))
        var room = limit
        var isAfterSpace = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) {
                isAfterSpace = !line.isEmpty
                continue
            }
            guard room > (isAfterSpace ? 1 : 0) else { break }
            if isAfterSpace {
                line.append(0x20)
                room -= 1
            }
            if scalar.isASCII { line.append(UInt8(scalar.value)) } else { line.append(contentsOf: scalar.utf8) }
            room -= 1
            isAfterSpace = false
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t"..."\r", " ": true
        case "\0"..."\u{7F}": false
        default: scalar.properties.isWhitespace
        }
    }
}
