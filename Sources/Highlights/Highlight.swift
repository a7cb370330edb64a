/// A passage that a user marked.
public struct Highlight: Sendable, Equatable {
    public var id: String
    public var quote: String
    /// The text directly before the quote, and directly after it, if known.
    public var prefix: String?
    public var suffix: String?
    /// The position in UTF-16 units of the text in which it was marked.
    public var range: Range<Int>?

    public init(id: String, quote: String, prefix: String? = nil, suffix: String? = nil, range: Range<Int>? = nil) {
        self.id = id
        self.quote = quote
        self.prefix = prefix
        self.suffix = suffix
        self.range = range
    }
}
