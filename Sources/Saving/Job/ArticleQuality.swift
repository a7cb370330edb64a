/// Compares articles of the same page.
struct ArticleQuality: Sendable, Equatable {
    var source: PageReceiver
    /// The number of letters and digits of its text.
    var letters: Int
    /// False for the beginning of an article behind a paywall, and for the plain text of a page over budget.
    var isWhole: Bool

    init(source: PageReceiver, letters: Int, isWhole: Bool = true) {
        self.source = source
        self.letters = letters
        self.isWhole = isWhole
    }

    init(source: PageReceiver, text: String, isWhole: Bool) {
        self.init(source: source, letters: Self.letters(in: text), isWhole: isWhole)
    }

    /// Whether this article is longer by more than a tenth. Two extractions of one page differ by a caption or a line
    /// of links.
    func isLonger(than other: ArticleQuality) -> Bool { letters - other.letters > other.letters / 10 }

    /// Whether this article has less than a quarter of the other's text: it is something else then, such as a teaser.
    func isStub(beside other: ArticleQuality) -> Bool { letters < other.letters / 4 }

    /// Every character beyond ASCII counts, whatever it is: punctuation of other scripts does not change the
    /// comparison.
    private static func letters(in text: String) -> Int {
        text.utf8.reduce(0) { letters, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                0xC3...:
                letters + 1
            default: letters
            }
        }
    }
}
