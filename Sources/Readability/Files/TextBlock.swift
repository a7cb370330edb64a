/// A part of a text without mark-up, by what it looks like.
enum TextBlock: Equatable {
    case heading(String)
    case paragraph(String)
    /// Lines that are meant to end where they do: of a poem, a list, an address.
    case lines([String])
    /// Indented or laid out by spaces: code, tables.
    case preformatted(String)

    /// As it is read, without form.
    var text: String {
        switch self {
        case .heading(let text), .paragraph(let text), .preformatted(let text): text
        case .lines(let lines): lines.joined(separator: "\n")
        }
    }

    /// So much of it at most, cut where a character begins.
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
