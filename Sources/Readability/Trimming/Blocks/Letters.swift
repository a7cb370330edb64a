/// Classifies UTF-8 characters for the length of texts and the ends of sentences.
enum Letters {
    enum Kind { case letter, ideograph, spaceless, terminator, colon, closer, sign }

    /// Returns the kind of a character beyond ASCII. Source of the ranges:
    /// https://www.unicode.org/Public/UNIDATA/Blocks.txt
    static func kind(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Kind {
        switch (first, second, third) {
        // » and the other signs of Latin-1.
        case (0xC2, 0xBB, _): return .closer
        case (0xC2, _, _): return .sign
        // Arabic question mark and full stop, Devanagari danda.
        case (0xD8, 0x9F, _), (0xDB, 0x94, _), (0xE0, 0xA5, 0xA4): return .terminator
        // … and the closing quotation marks, then the rest of general punctuation, arrows, bullets, symbols.
        case (0xE2, 0x80, 0xA6): return .terminator
        case (0xE2, 0x80, 0x99), (0xE2, 0x80, 0x9D), (0xE2, 0x80, 0xBA): return .closer
        case (0xE2, 0x80...0xAF, _): return .sign
        // 。！？．： and 」』）
        case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x81), (0xEF, 0xBC, 0x9F), (0xEF, 0xBC, 0x8E): return .terminator
        case (0xEF, 0xBC, 0x9A): return .colon
        case (0xE3, 0x80, 0x8D), (0xE3, 0x80, 0x8F), (0xEF, 0xBC, 0x89): return .closer
        case (0xE3, 0x80, _), (0xEF, 0xBC, 0x80...0x8F): return .sign
        // Kana, ideographs and their extensions.
        case (0xE3, _, _), (0xE4...0xE9, _, _), (0xEF, 0xA4...0xAB, _), (0xEF, 0xBD...0xBE, _), (0xF0, 0xA0...0xBF, _):
            return .ideograph
        // Thai and Lao, Myanmar, Khmer.
        case (0xE0, 0xB8...0xBB, _), (0xE1, 0x80...0x82, _), (0xE1, 0x9E...0x9F, _): return .spaceless
        case (0xF0, 0x9F, _): return .sign
        default: return .letter
        }
    }

    /// Returns the lowercase form of a Latin-1, Greek or Cyrillic letter.
    static func lowercase(_ first: UInt8, _ second: UInt8) -> (UInt8, UInt8) {
        switch (first, second) {
        case (0xC3, 0x80...0x9E) where second != 0x97: (0xC3, second + 0x20)
        case (0xCE, 0x91...0x9F): (0xCE, second + 0x20)
        case (0xCE, 0xA0...0xA9): (0xCF, second - 0x20)
        case (0xD0, 0x90...0x9F): (0xD0, second + 0x20)
        case (0xD0, 0xA0...0xAF): (0xD1, second - 0x20)
        case (0xD0, 0x80...0x8F): (0xD1, second + 0x10)
        default: (first, second)
        }
    }

    /// `:` or its fullwidth form, with an optional space before it.
    static func beginsWithColon(_ text: ArraySlice<UInt8>) -> Bool {
        let text = text.first == 0x20 ? text.dropFirst() : text
        return text.first == UInt8(ascii: ":") || text.starts(with: "：".utf8)
    }
}
