import MarkdownFiles

/// A text file with a piece for each link, written from top to bottom.
protocol LinkFormat {
    /// What belongs to the links, as `private.exported_links` names it.
    static var parts: String { get }
    /// The text before the first link.
    var head: String { get }
    /// The piece of a link.
    mutating func piece(of link: ExportedLink) -> [UInt8]
    /// The text after the last link.
    var foot: String { get }
}
