extension FeedDocument.Entry {
    /// How much of the article a feed has in an entry.
    public enum Extent: Equatable, Sendable {
        /// Nothing worth keeping.
        case teaser
        /// Perhaps all of a short article; only its page shows that.
        case part
        /// So much that the page is not needed.
        case whole
    }

    /// Characters of a part and of a whole. A teaser has two or three sentences; 2,500 characters are some 400 words,
    /// which hardly any site gives away as a teaser.
    private static let (minPart, minWhole) = (500, 2_500)
    /// What marks a text that continues elsewhere, among its last characters.
    private static let (lastWords, lastCharacters) = (["[…]", "[...]", "continue reading", "read more"], 200)

    public var extent: Extent {
        guard let content, let text = FeedText.of(html: content, limit: .max) else { return .teaser }
        let length = text.count
        guard length >= Self.minPart else { return .teaser }
        let end = text.suffix(Self.lastCharacters).lowercased()
        return length >= Self.minWhole && !Self.lastWords.contains(where: end.contains) ? .whole : .part
    }
}
