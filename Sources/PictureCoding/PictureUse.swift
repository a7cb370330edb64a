/// What a picture is wanted for, which decides how large it is kept.
public enum PictureUse: String, Sendable, CaseIterable {
    /// In the text of an article.
    case article
    /// Beside a link in a list.
    case preview
    /// A site's sign.
    case icon

    /// Pixels, at most. Smaller ones stay as they are.
    public var bound: (width: Int, height: Int) {
        switch self {
        // Twice the width of the reader's column for dense screens, and some; a long infographic keeps its length.
        case .article: (1_600, 8_000)
        case .preview: (480, 480)
        case .icon: (64, 64)
        }
    }
}
