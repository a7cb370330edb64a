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
}
