/// Counts the words of a text, for reading times. Words are runs of letters and digits between white space; each
/// character of a script without spaces (Han, kana) counts as one word.
public enum WordCount {
    public static func of(_ text: String) -> Int { tally(of: text).count }

    /// The counts of a text that determine its reading time.
    struct Tally: Equatable {
        var words = 0
        /// Han and kana characters.
        var ideographs = 0
        /// Letters of scripts that do not separate words: Thai, Lao, Burmese, Khmer. Their runs are included in
        /// `words`.
        var unspaced = 0

        var count: Int { words + ideographs }
    }

    static func tally(of text: String) -> Tally {
        var tally = Tally()
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.value < 0x80 {
                if scalar.value <= 0x20 {
                    isInWord = false
                } else if !isInWord && isWordCharacter(UInt8(truncatingIfNeeded: scalar.value)) {
                    tally.words += 1
                    isInWord = true
                }
            } else if isWrittenWithoutSpaces(scalar) {
                tally.ideographs += 1
                isInWord = false
            } else if scalar.properties.isWhitespace {
                isInWord = false
            } else {
                if isSoutheastAsian(scalar) { tally.unspaced += 1 }
                if !isInWord && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil) {
                    tally.words += 1
                    isInWord = true
                }
            }
        }
        return tally
    }

    private static func isSoutheastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E01...0x0EDF, 0x1000...0x109F, 0x1780...0x17DD: true
        default: false
        }
    }

    /// Kana, ideographs and their extensions. Source: Unicode blocks, https://www.unicode.org/Public/UNIDATA/Blocks.txt
    static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
