import Readability

/// What tells a good article from a worse one of the same page.
struct ArticleQuality: Sendable, Equatable {
    var source: PageSource
    /// Letters and digits of its text.
    var letters: Int
    /// Not what stands before a wall, nor the plain text of a page that was too much to be read.
    var isWhole: Bool

    init(source: PageSource, letters: Int, isWhole: Bool = true) {
        self.source = source
        self.letters = letters
        self.isWhole = isWhole
    }

    init(source: PageSource, text: String, isWhole: Bool) {
        self.init(source: source, letters: Self.letters(in: text), isWhole: isWhole)
    }

    /// By more than a tenth: two readings of one page differ by a caption or a line of links.
    func isLonger(than other: ArticleQuality) -> Bool { letters - other.letters > other.letters / 10 }

    /// Less than a quarter: what calls itself the whole of that is something else, such as a teaser.
    func isStub(beside other: ArticleQuality) -> Bool { letters < other.letters / 4 }

    /// Of other scripts than ours every character counts; nothing that matters here is made of their signs.
    private static func letters(in text: String) -> Int {
        text.utf8.reduce(0) { letters, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                0xC3...: letters + 1
            default: letters
            }
        }
    }
}

extension PageView {
    /// Nil: the page has no article.
    var facts: ArticleQuality? {
        reading.article.map { ArticleQuality(source: source, text: $0.textContent, isWhole: !(reading.missing?.isPartial ?? false)) }
    }
}
