import HTML

/// A piece of running text of a found article without a block inside: a paragraph, a heading, an item, a cell, or text
/// directly beside blocks. Or a picture without text.
struct ArticleBlock {
    enum Kind { case text, heading, item, cell, code, caption, picture }

    /// The kinds of elements around a block, at any distance.
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
    /// Row in ``BlockList/boxes`` of the innermost block element around it.
    var box: Int
    /// Hints of its box and of the inline elements inside, not of the boxes around.
    var hints: BlockHints = []
    /// Rows of ``BlockList/texts``: the text nodes that are not blank.
    var texts: Range<Int>
    /// Range in ``BlockList/bytes`` of its text in lowercase, which is cut off if it is long.
    var text: Range<Int>
    /// Hash of the whole text, to recognise the block again.
    var hash: UInt64 = 0
    var length = TextLength()
    /// Length of the link text in it.
    var linked = TextLength()
    var ending = Ending.open
    /// Number of sentences that end before the block does.
    var innerSentences = 0
    var pictures = 0
    /// A picture follows some of the text, as in formulas.
    var hasPictureAfterText = false
    /// Every picture is inside a link.
    var hasOnlyLinkedPictures = true

    var words: Int { length.words }
    /// The share of the text that is link text, from 0 to 1.
    var linkShare: Double { length.units == 0 ? 0 : Double(linked.units) / Double(length.units) }
}
