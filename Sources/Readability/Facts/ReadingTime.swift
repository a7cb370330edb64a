/// How long a text takes to read.
public enum ReadingTime {
    /// Words a minute, as the app's reader counts (`/200`).
    static let wordsAMinute = 200.0
    /// Characters a minute of Chinese and Japanese, as Miniflux has it.
    static let ideographsAMinute = 500.0
    /// Characters a minute of Thai, Lao, Khmer and Burmese, which part no words: four and a half to a word.
    static let lettersAMinute = 900.0

    /// Minutes, rounded up; at least one. Nil for no text.
    public static func minutes(of text: String) -> Int? {
        let count = WordCount.tally(of: text)
        guard count.words + count.ideographs + count.unspaced > 0 else { return nil }
        let minutes = Double(count.words) / wordsAMinute + Double(count.ideographs) / ideographsAMinute + Double(count.unspaced) / lettersAMinute
        return max(1, Int(minutes.rounded(.up)))
    }
}
