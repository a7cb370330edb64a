import Readability

/// A file that is not HTML and becomes an article, or has a description.
enum PageFile: Sendable, Equatable {
    /// Text in UTF-8.
    case plainText([UInt8])
    /// Markdown in UTF-8.
    case markdown([UInt8])
    case pdf([UInt8])
    case epub([UInt8])
    case medium(MediaKind)
}
