import CCLD2

/// What a text is written in, by its letters.
public struct LanguageGuess: Equatable, Sendable {
    /// BCP 47: `de`, `zh-Hant`.
    public var code: String
    /// Enough text, nearly all of it in this language, and no other as likely.
    public var isSure: Bool

    /// Bytes of a text that are looked at: more would not make the answer surer.
    private static let sample = 4_096
    /// Bytes of letters, some thirty words of European languages, from which on an answer is believed against the page's own.
    private static let enoughLetters = 200
    /// A page has names, quotations and captions in other languages.
    private static let enoughPercent = 75

    /// nil where there are too few letters to say anything.
    public init?(of text: String) {
        var sample = Array(text.utf8.prefix(Self.sample))
        // The last character may have been cut through.
        while let last = sample.last, last & 0xC0 == 0x80 { sample.removeLast() }
        if let last = sample.last, last >= 0xC0 { sample.removeLast() }
        // Text with control characters is none to the detector.
        for index in sample.indices where sample[index] < 0x20 || sample[index] == 0x7F { sample[index] = 0x20 }
        let found = sample.withUnsafeBytes { bytes in
            ccld2_detect(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard let name = found.code.map({ String(cString: $0) }), name != "un" else { return nil }
        code = Self.modern[name] ?? name
        isSure = found.is_reliable != 0 && found.percent >= Self.enoughPercent && found.bytes >= Self.enoughLetters
    }

    /// Codes the detector still uses. Source: withdrawn codes of ISO 639, https://www.loc.gov/standards/iso639-2/
    private static let modern = ["iw": "he", "jw": "jv", "in": "id", "ji": "yi", "mo": "ro", "sh": "sr"]
}
