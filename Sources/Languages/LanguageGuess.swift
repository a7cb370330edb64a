import CCLD2

/// The language of a text, detected from the text itself.
public struct LanguageGuess: Equatable, Sendable {
    /// A BCP 47 tag, such as `de` or `zh-Hant`.
    public var code: String
    /// Whether there was enough text, nearly all of it in this language, and the detector was confident.
    public var isReliable: Bool

    /// In bytes. More text does not improve the result.
    private static let sample = 4_096
    /// In bytes of letters: about thirty words in European languages. With less text, the page's declaration wins.
    private static let minLetterBytes = 200
    /// The text may contain names, quotations and captions in other languages.
    private static let minPercent = 75

    /// Returns nil if there are too few letters to detect a language.
    public init?(of text: String) {
        var text = text
        var sample = text.withUTF8 { Array($0.prefix(Self.sample)) }
        // The cut may have split the last character.
        while let last = sample.last, last & 0xC0 == 0x80 { sample.removeLast() }
        if let last = sample.last, last >= 0xC0 { sample.removeLast() }
        // The detector rejects text with control characters.
        for index in sample.indices where sample[index] < 0x20 || sample[index] == 0x7F { sample[index] = 0x20 }
        let found = sample.withUnsafeBytes { bytes in
            ccld2_detect(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard let name = found.code.map({ String(cString: $0) }), name != "un" else { return nil }
        code = Self.currentCodes[name] ?? name
        isReliable = found.is_reliable != 0 && found.percent >= Self.minPercent && found.bytes >= Self.minLetterBytes
    }

    /// Withdrawn codes that the detector still returns. Source: withdrawn codes of ISO 639,
    /// https://www.loc.gov/standards/iso639-2/
    private static let currentCodes = ["iw": "he", "jw": "jv", "in": "id", "ji": "yi", "mo": "ro", "sh": "sr"]
}
