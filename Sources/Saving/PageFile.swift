import Readability

/// A file that is an article, or leads to one.
enum PageFile: Sendable, Equatable {
    /// In UTF-8.
    case plainText([UInt8])
    /// In UTF-8.
    case markdown([UInt8])
    case pdf([UInt8])
    case medium(Medium)
}
