/// Estimates how long a text takes to read.
public enum ReadingTime {
    /// Words per minute; the web app's reader also divides by 200.
    static let wordsPerMinute = 200.0
    /// Characters per minute for Chinese and Japanese, the same value as in Miniflux.
    static let ideographsPerMinute = 500.0
    /// Characters per minute for Thai, Lao, Khmer and Burmese, which do not separate words: about 4.5 characters a
    /// word.
    static let lettersPerMinute = 900.0

    /// Returns the minutes, rounded up, at least one; nil for a text without words.
    public static func minutes(of text: String) -> Int? { minutes(for: WordCount.tally(of: text)) }

    static func minutes(for count: WordCount.Tally) -> Int? {
        guard count.words + count.ideographs + count.unspaced > 0 else { return nil }
        let minutes =
            Double(count.words) / wordsPerMinute + Double(count.ideographs) / ideographsPerMinute + Double(
                count.unspaced) / lettersPerMinute
        return max(1, Int(minutes.rounded(.up)))
    }
}
