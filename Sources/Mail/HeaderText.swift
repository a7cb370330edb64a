import FoundationEssentials

/// Text of any kind in a header: as it is where it is short and plain, else in encoded words (RFC 2047). A line break
/// in it is a blank, so that no text becomes a header of its own.
enum HeaderText {
    /// Longest encoded word, in bytes.
    private static let longestWord = 75
    /// Bytes of text that fit: what is left of a word beside `=?utf-8?B?` and `?=`, in base 64.
    private static let bytesInWord = (longestWord - 12) / 4 * 3

    /// - Parameters:
    ///   - used: bytes of the line that are taken already.
    ///   - isPhrase: whether only words and blanks may stand there as they are (RFC 5322, section 3.2.5).
    static func encoded(_ text: String, after used: Int, isPhrase: Bool) -> String {
        let clean = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        if used + clean.utf8.count <= 78, clean.utf8.allSatisfy({ isPlain($0, isPhrase) }), !clean.contains("=?") { return clean }
        return words(clean).joined(separator: "\r\n ")
    }

    private static func isPlain(_ byte: UInt8, _ isPhrase: Bool) -> Bool {
        guard (0x20...0x7E).contains(byte) else { return false }
        return !isPhrase || !"()<>[]:;@\\,.\"".utf8.contains(byte)
    }

    /// Whole scalars in each word, as the standard asks for.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var bytes: [UInt8] = []
        func word() -> String { "=?utf-8?B?" + Data(bytes).base64EncodedString() + "?=" }
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            if bytes.count + encoded.count > bytesInWord {
                words.append(word())
                bytes = []
            }
            bytes += encoded
        }
        words.append(word())
        return words
    }
}
