/// A block of a text without markup, classified by its layout.
enum TextBlock: Equatable {
    case heading(String)
    case paragraph(String)
    /// Lines whose breaks are intended: a poem, a list, a postal address.
    case lines([String])
    /// Lines that are indented or aligned with spaces: code, tables.
    case preformatted(String)

    /// The text without its structure.
    var text: String {
        switch self {
        case .heading(let text), .paragraph(let text), .preformatted(let text): text
        case .lines(let lines): lines.joined(separator: "\n")
        }
    }

    /// Returns the block's first bytes, cut at a character boundary.
    func beginning(bytes: Int) -> TextBlock {
        func cut(_ text: String) -> String {
            var end = text.utf8.index(text.startIndex, offsetBy: bytes)
            while Unicode.UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
            return String(text[..<end])
        }
        let text = text
        guard text.utf8.count > bytes else { return self }
        return switch self {
        case .heading: .heading(cut(text))
        case .paragraph: .paragraph(cut(text))
        case .preformatted: .preformatted(cut(text))
        case .lines: .lines(cut(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
    }
}
