import HTML

/// Keeps footnotes in an `aside` or a `footer`, elements that the search would remove.
enum Footnotes {
    private static let roles: Set<String> = ["doc-footnote", "doc-footnotes", "doc-endnote", "doc-endnotes"]
    private static let words: Set<String> = ["footnote", "footnotes", "endnote", "endnotes"]

    static func keep(_ asides: [NodeID], in document: inout Document) {
        for aside in asides {
            let role = document.attribute(aside, .role) ?? ""
            guard roles.contains(role) || ClassWords(of: aside, in: document).hasWord(of: words) else { continue }
            document.rename(aside, to: .div)
        }
    }
}
