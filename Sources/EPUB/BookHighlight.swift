/// A passage that the user has marked in an article.
public struct BookHighlight: Sendable, Equatable {
    public var quote: String
    public var note: String?
    /// Its place in UTF-16 units of the text of the content; nil where the text does not hold it.
    public var place: Range<Int>?

    public init(quote: String, note: String? = nil, place: Range<Int>? = nil) {
        self.quote = quote
        self.note = note
        self.place = place
    }
}
