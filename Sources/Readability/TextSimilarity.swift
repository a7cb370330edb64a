/// How much of other texts' words a text has.
struct TextSimilarity {
    private let known: Set<ArraySlice<UInt8>>

    init(to text: String) { known = Set(TextSimilarity.words(text)) }

    /// 1 when every word of `text` is known, 0 when none is or either has no words. Words are runs of ASCII letters, digits
    /// and `_`, weighed by their length, so in other scripts nothing is ever similar.
    func of(_ text: String) -> Double {
        let words = TextSimilarity.words(text)
        guard !known.isEmpty, !words.isEmpty else { return 0 }
        let unknown = words.filter { !known.contains($0) }
        return 1 - TextSimilarity.length(unknown) / TextSimilarity.length(words)
    }

    /// Length of the words with one space between each two.
    private static func length(_ words: [ArraySlice<UInt8>]) -> Double {
        Double(words.reduce(0) { $0 + $1.count } + max(words.count - 1, 0))
    }

    /// U+0130 and U+212A are the letters beyond ASCII whose small forms are in it, the first with a mark behind it.
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
