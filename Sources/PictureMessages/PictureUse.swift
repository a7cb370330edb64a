/// The use of a picture, which decides the size at which it is stored.
public enum PictureUse: String, Sendable, CaseIterable {
    /// In the text of an article.
    case article
    /// Beside a link in a list.
    case preview
    /// A site's icon.
    case icon
    /// In a book.
    case book
    /// The cover of a book; the bytes are a ``CoverRequest``.
    case cover

    /// The largest size in pixels. Smaller pictures keep their size.
    public var bound: (width: Int, height: Int) {
        switch self {
        // A little more than twice the width of the reader's column, for high-density screens; long infographics keep
        // their length.
        case .article, .book: (1_600, 8_000)
        case .cover: (1_000, 1_400)
        case .preview: (480, 480)
        case .icon: (64, 64)
        }
    }
}
