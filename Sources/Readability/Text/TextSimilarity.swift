/// The share of a text's words that also occur in another text.
struct TextSimilarity {
    private let known: Set<ArraySlice<UInt8>>

    init(to text: String) { known = Set(TextSimilarity.words(text)) }

    /// Returns 1 if every word of `text` is known, and 0 if none is or either text has no words. Words are runs of
    /// ASCII letters, digits and `_`, weighted by length, so texts in other scripts are never similar.
    func of(_ text: String) -> Double {
        let words = TextSimilarity.words(text)
        guard !known.isEmpty, !words.isEmpty else { return 0 }
        let unknown = words.filter { !known.contains($0) }
        return 1 - TextSimilarity.length(unknown) / TextSimilarity.length(words)
    }

    /// Returns the length of the words joined by single spaces.
    private static func length(_ words: [ArraySlice<UInt8>]) -> Double {
        Double(words.reduce(0) { $0 + $1.count } + max(words.count - 1, 0))
    }

    /// U+0130 and U+212A are the only letters beyond ASCII whose lowercase forms are in ASCII, the first with a
    /// combining mark after it.
    private static func words(_ text: String) -> [ArraySlice<UInt8>] {
        var small: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{130}": small += [UInt8(ascii: "i"), 0]
            case "\u{212A}": small.append(UInt8(ascii: "k"))
            default: small.append(scalar.isASCII ? lowercased(UInt8(truncatingIfNeeded: scalar.value)) : 0)
            }
        }
        return small.split { !isWordCharacter($0) }
    }
}
