/// A passage that somebody marked on an e-reader.
public struct Clipping: Equatable, Sendable {
    public var quote: String
    /// Empty: none.
    public var note: String
    /// One of the colours of `highlights.color`; nil: the file names none that Lectern has.
    public var color: String?

    public init(quote: String, note: String = "", color: String? = nil) {
        self.quote = quote
        self.note = note
        self.color = color
    }
}

/// A book in a file of an e-reader, with the passages marked in it.
public struct ClippedBook: Equatable, Sendable {
    public var title: String
    /// The title with what the file has behind it, such as the author; nil: nothing. The author may be a part of the
    /// title, because the file does not distinguish them.
    public var heading: String?
    /// The id of the link, or of the book of several articles, in lower case; nil: the file does not name it.
    public var id: String?
    public var clippings: [Clipping]

    public init(title: String, heading: String? = nil, id: String? = nil, clippings: [Clipping]) {
        self.title = title
        self.heading = heading == title ? nil : heading
        self.id = id
        self.clippings = clippings
    }
}
