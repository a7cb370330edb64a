import Text

/// The language of preformatted code, as syntax highlighters record it in classes and attributes.
public enum CodeLanguage {
    /// The attribute that stores the language of a `pre` in an article, where classes are dropped.
    public static let attribute = "data-language"

    private static let attributes = [attribute, "data-lang", "data-code-language", "data-enlighter-language"]
    /// Used by Prism, highlight.js and most others; the last by GitHub.
    private static let prefixes = ["language-", "lang-", "highlight-source-"]
    /// highlight.js and pandoc: the language is the other class on the same element.
    private static let highlighterClasses: Set<Substring> = ["hljs", "sourceCode"]
    /// Values that follow the prefixes if no language is set.
    private static let none: Set<Substring> = [
        "none", "plain", "plaintext", "text", "nohighlight", "auto", "undefined",
    ]

    /// Returns the language, such as `swift` or `c++`; nil if nothing specifies it.
    public static func of(_ pre: NodeID, in document: Document) -> String? {
        // Highlighters mark the element itself, the code inside it, or a wrapper around a single code block.
        var elements = [pre]
        if let code = document.onlyChildElement(pre) { elements.append(code) }
        for box in document.ancestors(pre, limit: 2) {
            guard document.onlyChildElement(box) != nil else { break }
            elements.append(box)
        }
        return elements.lazy.compactMap { written(on: $0, in: document) }.first
    }

    private static func written(on element: NodeID, in document: Document) -> String? {
        for name in attributes {
            if let language = document.attribute(element, named: name).flatMap({ checked($0[...]) }) { return language }
        }
        // The limit bounds the time; longer class lists add no information.
        let classes = (document.attribute(element, .class) ?? "").prefix(500).split {
            $0 == " " || $0 == "\n" || $0 == "\t" || $0 == ";"
        }
        for (position, name) in classes.enumerated() {
            for prefix in prefixes where name.hasPrefix(prefix) {
                if let language = checked(name.dropFirst(prefix.count)) { return language }
            }
            // SyntaxHighlighter: `brush: js; toolbar: false`
            if name == "brush:", position + 1 < classes.count { return checked(classes[position + 1]) }
            if name.hasPrefix("brush:"), let language = checked(name.dropFirst(6)) { return language }
        }
        guard classes.contains(where: highlighterClasses.contains) else { return nil }
        return classes.lazy.filter { !highlighterClasses.contains($0) }.compactMap(checked).first
    }

    /// Returns the name of a language in lower case; nil if it is not the name of a language.
    static func checked(_ name: Substring) -> String? {
        let name = name.lowercased()
        let isName =
            !name.isEmpty && name.utf8.count <= 32
            && name.utf8.allSatisfy { MarkdownEscapes.isAlphanumeric($0) || "+#-_.".utf8.contains($0) }
        return isName && !none.contains(name[...]) ? name : nil
    }
}
