import FoundationEssentials

/// Encodes text for a header: short plain text stays unchanged, other text becomes encoded words (RFC 2047). A control
/// character becomes a space, so that no text can add a header.
enum HeaderText {
    /// The longest encoded word, in bytes.
    private static let maxWordBytes = 75
    /// Bytes of text in a word: three for four bytes of base 64, without `=?utf-8?B?` and `?=`.
    private static let bytesInWord = (maxWordBytes - 12) / 4 * 3

    /// - Parameters:
    ///   - used: bytes of the line that precede the text.
    ///   - isPhrase: whether the text stays unchanged only where it consists of words and spaces (RFC 5322, section
    ///     3.2.5).
    static func encoded(_ text: String, after used: Int, isPhrase: Bool) -> String {
        let clean = String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        let staysPlain = clean.utf8.allSatisfy { isPlain($0, isPhrase) } && !clean.contains("=?")
        if staysPlain, used + clean.utf8.count <= 78 { return clean }
        return words(clean).joined(separator: "\r\n ")
    }

    private static func isPlain(_ byte: UInt8, _ isPhrase: Bool) -> Bool {
        guard (0x20...0x7E).contains(byte) else { return false }
        return !isPhrase || !"()<>[]:;@\\,.\"".utf8.contains(byte)
    }

    /// Splits text into encoded words of whole scalars, as RFC 2047 requires.
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
