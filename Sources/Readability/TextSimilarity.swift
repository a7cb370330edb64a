/// How much of one text's words another text has.
enum TextSimilarity {
    /// 1 when every word of `second` stands in `first`, 0 when none does or either has no words. Words are runs of ASCII
    /// letters, digits and `_`, weighed by their length, so in other scripts nothing is ever similar.
    static func of(_ second: String, to first: String) -> Double {
        let known = Set(words(first))
        let words = words(second)
        guard !known.isEmpty, !words.isEmpty else { return 0 }
        let unknown = words.filter { !known.contains($0) }
        return 1 - length(unknown) / length(words)
    }

    /// Length of the words with one space between each two.
    private static func length(_ words: [ArraySlice<UInt8>]) -> Double {
        Double(words.reduce(0) { $0 + $1.count } + max(words.count - 1, 0))
    }

    private static func words(_ text: String) -> [ArraySlice<UInt8>] {
        text.utf8.map(lowercased).split { !isWordCharacter($0) }
    }
}
