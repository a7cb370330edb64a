/// The styles that affect the meaning of text: strike-through, alignment, small capitals, line breaks in verse. All
/// other styling is the reader's choice.
///
/// The output is rebuilt from a list of properties and keywords. It cannot contain URLs, functions, escapes or
/// comments, however the input is parsed.
enum SanitizerStyle {
    /// Maximum length of a style that is parsed, in bytes; word processors write a few hundred.
    static let maximumBytes = 4_096

    private struct Property {
        let name: String
        /// The property names that pages use for it.
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
        // The styles of list items, and the numbering styles that a text refers to ("see c").
        Property(
            name: "list-style-type", spellings: ["list-style-type", "list-style"],
            keywords: [
                "none", "disc", "circle", "square", "decimal", "decimal-leading-zero", "lower-roman", "upper-roman",
                "lower-alpha", "upper-alpha", "lower-latin", "upper-latin", "lower-greek", "hebrew", "armenian",
                "georgian",
                "cjk-decimal", "hiragana", "katakana",
            ], elements: [.ol, .ul, .li]),
        Property(
            name: "text-align", spellings: ["text-align"],
            keywords: ["left", "right", "center", "justify", "start", "end"]),
        // Excludes `none`: pages set it on links, which must remain recognizable.
        Property(
            name: "text-decoration", spellings: ["text-decoration", "text-decoration-line"],
            keywords: ["underline", "line-through", "overline"]),
        // Only superscripts and subscripts; excludes values that move whole lines.
        Property(
            name: "vertical-align", spellings: ["vertical-align"], keywords: ["sub", "super"]),
        // For verse and code. Excludes `nowrap`, which overflows small screens.
        Property(
            name: "white-space", spellings: ["white-space"], keywords: ["pre", "pre-wrap", "pre-line", "break-spaces"]),
    ]

    /// Returns the allowed style of an element, each property in its canonical spelling; nil if none remains.
    static func cleaned(_ style: String, of tag: Tag) -> String? {
        guard style.utf8.count <= maximumBytes else { return nil }
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
        let declarations = properties.compactMap { property in found[property.name].map { "\(property.name): \($0)" } }
        return declarations.isEmpty ? nil : declarations.joined(separator: "; ")
    }

    /// Returns the first allowed keyword in a value. Shorthand values contain further words (`underline dotted red`),
    /// which are only visual.
    private static func value(_ written: String, of property: Property) -> String? {
        written.split(whereSeparator: \.isWhitespace).map(String.init).first(where: property.keywords.contains)
    }
}
