/// The styles that carry meaning for reading: what is struck out, centred, small capitals, a line of verse. How a page
/// looks otherwise is the reader's choice.
///
/// What stays is written anew from a list of properties and keywords, so it cannot hold addresses, functions, escapes or
/// comments, and however a style is read, nothing else comes out.
enum SanitizerStyle {
    /// Longest style that is looked at, in bytes; word processors write some hundred.
    static let longest = 4_096

    private struct Property {
        let name: String
        /// Names under which pages write it.
        let spellings: Set<String>
        let keywords: Set<String>
        var elements: TagSet?
    }

    private static let properties: [Property] = [
        Property(
            name: "direction", spellings: ["direction"], keywords: ["ltr", "rtl"]),
        Property(
            name: "font-style", spellings: ["font-style"], keywords: ["normal", "italic", "oblique"]),
        Property(
            name: "font-variant", spellings: ["font-variant", "font-variant-caps"], keywords: ["normal", "small-caps"]),
        Property(
            name: "font-weight", spellings: ["font-weight"],
            keywords: [
                "normal", "bold", "bolder", "lighter", "100", "200", "300", "400", "500", "600", "700", "800", "900",
            ]),
        // An item's own kind, and the kinds a numbered text refers to ("see c").
        Property(
            name: "list-style-type", spellings: ["list-style-type", "list-style"],
            keywords: [
                "none", "disc", "circle", "square", "decimal", "decimal-leading-zero", "lower-roman", "upper-roman",
                "lower-alpha", "upper-alpha", "lower-latin", "upper-latin", "lower-greek", "hebrew", "armenian", "georgian",
                "cjk-decimal", "hiragana", "katakana",
            ], elements: [.ol, .ul, .li]),
        Property(
            name: "text-align", spellings: ["text-align"],
            keywords: ["left", "right", "center", "justify", "start", "end"]),
        // Not `none`: pages write it on links, which are to be seen as such.
        Property(
            name: "text-decoration", spellings: ["text-decoration", "text-decoration-line"],
            keywords: ["underline", "line-through", "overline"]),
        // Not what moves whole lines: powers and indices only.
        Property(
            name: "vertical-align", spellings: ["vertical-align"], keywords: ["sub", "super"]),
        // Verse and code; not `nowrap`, which runs off a small screen.
        Property(
            name: "white-space", spellings: ["white-space"], keywords: ["pre", "pre-wrap", "pre-line", "break-spaces"]),
    ]

    /// The style an element may have, one spelling for each; nil when there is none.
    static func cleaned(_ style: String, of tag: Tag) -> String? {
        guard style.utf8.count <= longest else { return nil }
        var found: [String: String] = [:]
        for declaration in style.lowercased().split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = WhiteSpace.trim(String(parts[0]))
            guard let property = properties.first(where: { $0.spellings.contains(name) }),
                property.elements?.contains(tag) ?? true,
                let value = value(WhiteSpace.trim(String(parts[1])), of: property)
            else { continue }
            found[property.name] = value
        }
        let kept = properties.compactMap { property in found[property.name].map { "\(property.name): \($0)" } }
        return kept.isEmpty ? nil : kept.joined(separator: "; ")
    }

    /// The keyword in a value. Shorthands hold more words (`underline dotted red`), which are for looks.
    private static func value(_ written: String, of property: Property) -> String? {
        written.split(whereSeparator: \.isWhitespace).map(String.init).first(where: property.keywords.contains)
    }
}
