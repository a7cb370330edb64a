/// The styles of an article that mean something and that a book keeps. The sanitizer has written them.
enum BookStyle {
    private static let kept: [String: Set<String>] = [
        "font-style": ["normal", "italic"], "font-weight": ["normal", "bold"], "font-variant": ["small-caps"],
        "text-align": ["left", "right", "center", "justify"], "text-decoration": ["underline", "line-through"],
        "vertical-align": ["sub", "super"], "white-space": ["pre", "pre-wrap", "pre-line"],
        "list-style-type": [
            "none", "disc", "circle", "square", "decimal", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha",
        ],
    ]

    static func cleaned(_ style: String?) -> String? {
        guard let style, style.utf8.count <= 4_096 else { return nil }
        let declarations = style.split(separator: ";").compactMap { declaration -> String? in
            let parts = declaration.split(separator: ":", maxSplits: 1).map { part in
                part.filter { !$0.isWhitespace }.lowercased()
            }
            guard parts.count == 2, kept[parts[0]]?.contains(parts[1]) == true else { return nil }
            return "\(parts[0]): \(parts[1])"
        }
        return declarations.isEmpty ? nil : declarations.joined(separator: "; ")
    }
}
