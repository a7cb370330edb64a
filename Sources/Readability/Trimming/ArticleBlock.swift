import HTML

/// A stretch of running text of a found article with no block inside: a paragraph, a heading, an item, a cell, or text that
/// lies bare beside blocks. Or a picture without text.
struct ArticleBlock {
    enum Kind { case text, heading, item, cell, code, caption, picture }

    /// What lies around a block, however far.
    struct Place: OptionSet {
        let rawValue: UInt8
        static let quote = Place(rawValue: 1)
        static let list = Place(rawValue: 2)
        static let table = Place(rawValue: 4)
        static let figure = Place(rawValue: 8)
        static let code = Place(rawValue: 16)
        static let caption = Place(rawValue: 32)
    }

    enum Ending { case open, sentence, colon }

    var kind = Kind.text
    var place: Place = []
    /// The innermost block element around it, by its row in ``BlockList/boxes``.
    var box: Int
    /// Of its box and what lies between, not of the boxes around.
    var hints: BlockHints = []
    /// Rows of ``BlockList/texts``: the text nodes with ink.
    var texts: Range<Int>
    /// Its text in small letters, cut off when it is long, in ``BlockList/bytes``.
    var text: Range<Int>
    /// Of the whole text, to find it again.
    var hash: UInt64 = 0
    var length = TextLength()
    /// The part of it that is link text.
    var linked = TextLength()
    var ending = Ending.open
    /// Sentences that end before the block does.
    var innerSentences = 0
    var pictures = 0
    /// One stands behind some of the text, as formulas do.
    var hasPictureBehindText = false
    /// All pictures are links.
    var hasOnlyLinkedPictures = true

    var words: Int { length.words }
    /// Of its text, from 0 to 1.
    var linkShare: Double { length.units == 0 ? 0 : Double(linked.units) / Double(length.units) }
    var isSentence: Bool { ending == .sentence || innerSentences > 0 }
}

/// The length of a text in words, also where words are not parted: an ideograph or kana counts half a word, a letter of Thai and
/// its neighbours a quarter.
struct TextLength {
    private(set) var units = 0
    var words: Int { (units + 3) / 4 }

    mutating func addWord() { units += 4 }
    mutating func addIdeograph() { units += 2 }
    mutating func addSpacelessLetter() { units += 1 }
    mutating func add(_ other: TextLength) { units += other.units }
    func since(_ former: TextLength) -> TextLength {
        var more = self
        more.units -= former.units
        return more
    }
}
