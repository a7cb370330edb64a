/// Lines that were one before somebody broke them.
enum JoinedLines {
    /// A space between them, but none after a word that was parted, nor between characters of scripts without spaces.
    static func of(_ lines: some Collection<String>) -> String {
        var text = ""
        for line in lines where !line.isEmpty {
            guard let last = text.unicodeScalars.last, let first = line.unicodeScalars.first else {
                text = line
                continue
            }
            if isParted(text, before: first) {
                text.unicodeScalars.removeLast()
            } else if !(isWithoutSpaces(last) && isWithoutSpaces(first)) {
                text += " "
            }
            text += line
        }
        return text
    }

    /// Ends in a hyphen behind a small letter, and goes on with one.
    private static func isParted(_ text: String, before first: Unicode.Scalar) -> Bool {
        let end = Array(text.unicodeScalars.suffix(2))
        guard end.count == 2, end[1] == "-" || end[1] == "\u{AD}" || end[1] == "\u{2010}" else { return false }
        return end[0].properties.isLowercase && first.properties.isLowercase
    }

    /// Kana, ideographs, and the signs that are as wide.
    private static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
