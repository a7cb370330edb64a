/// How many words a text has, for reading times: runs of letters and digits between white space; each character of
/// scripts that are written without spaces (Han, kana) counts as one.
public enum WordCount {
    public static func of(_ text: String) -> Int {
        var count = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.value < 0x80 {
                if scalar.value <= 0x20 {
                    isInWord = false
                } else if !isInWord && isWordCharacter(UInt8(truncatingIfNeeded: scalar.value)) {
                    count += 1
                    isInWord = true
                }
            } else if isWrittenWithoutSpaces(scalar) {
                count += 1
                isInWord = false
            } else if scalar.properties.isWhitespace {
                isInWord = false
            } else if !isInWord && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil) {
                count += 1
                isInWord = true
            }
        }
        return count
    }

    /// Kana, ideographs and their extensions. Source: Unicode blocks, https://www.unicode.org/Public/UNIDATA/Blocks.txt
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
