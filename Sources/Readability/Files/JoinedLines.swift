/// Joins lines that were broken at a width.
enum JoinedLines {
    /// Returns the lines joined by spaces. There is no space after a hyphenated word, nor between characters of scripts
    /// without spaces.
    static func of(_ lines: some Collection<String>) -> String {
        var text = ""
        for line in lines where !line.isEmpty {
            guard let last = text.unicodeScalars.last, let first = line.unicodeScalars.first else {
                text = line
                continue
            }
            if isHyphenated(text, before: first) {
                text.unicodeScalars.removeLast()
            } else if !(isWrittenWithoutSpaces(last) && isWrittenWithoutSpaces(first)) {
                text += " "
            }
            text += line
        }
        return text
    }

    /// Returns whether the text ends in a hyphen after a lowercase letter and continues with a lowercase letter.
    private static func isHyphenated(_ text: String, before first: Unicode.Scalar) -> Bool {
        let end = Array(text.unicodeScalars.suffix(2))
        guard end.count == 2, end[1] == "-" || end[1] == "\u{AD}" || end[1] == "\u{2010}" else { return false }
        return end[0].properties.isLowercase && first.properties.isLowercase
    }

    /// Kana, ideographs, and fullwidth signs.
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF9F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
