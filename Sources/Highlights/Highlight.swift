/// A marked passage, as its reader left it.
public struct Highlight: Sendable, Equatable {
    public var id: String
    public var quote: String
    /// Text that stood just before the quote, and just after it, where that is known.
    public var prefix: String?
    public var suffix: String?
    /// Where it was, in UTF-16 units of the text it was marked in.
    public var range: Range<Int>?

    public init(id: String, quote: String, prefix: String? = nil, suffix: String? = nil, range: Range<Int>? = nil) {
        self.id = id
        self.quote = quote
        self.prefix = prefix
        self.suffix = suffix
        self.range = range
    }
}
