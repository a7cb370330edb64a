/// The MathML elements and attributes that stay: those of MathML Core that only arrange symbols.
///
/// Deliberately excluded: `annotation-xml` and everything else that may contain HTML; `mglyph` and `malignmark`, which
/// parsers treat as HTML or MathML depending on context; links and actions; and anything that could move a formula over
/// the text around it.
/// Source: https://www.w3.org/TR/mathml-core/#mathml-elements-and-attributes
enum SanitizerMath {
    /// Elements that contain text; the sanitizer allows nothing else in them.
    static let tokens: Set<String> = ["mi", "mn", "mo", "mtext", "ms"]

    /// Elements that contain elements. Any text directly inside them is white space.
    static let containers: Set<String> = [
        "mrow", "mfrac", "msqrt", "mroot", "mstyle", "mphantom", "msub", "msup", "msubsup", "munder", "mover",
        "munderover", "mmultiscripts",
        "mtable", "mtr", "mtd",
    ]

    /// Elements without content.
    static let empty: Set<String> = ["mspace", "mprescripts", "none"]

    /// Annotations: the formula in another notation.
    static let removed: Set<String> = ["annotation", "annotation-xml"]

    /// Returns the name under which an element stays. Unknown elements become rows, so that a fraction keeps its two
    /// parts; a table row stays a table row.
    static func allowedName(for name: String) -> String {
        if tokens.contains(name) || containers.contains(name) || empty.contains(name) { return name }
        return name == "mlabeledtr" ? "mtr" : "mrow"
    }

    /// Returns the allowed value of an attribute, or nil.
    static func value(of attribute: Attribute, on element: String) -> String? {
        let value = attribute.value
        switch (attribute.name, element) {
        case ("display", "math"): return SanitizerRules.keyword(value, ["block"])
        case ("alttext", "math"): return value.isEmpty ? nil : SanitizerRules.text(value)
        case ("dir", _): return SanitizerRules.keyword(value, ["ltr", "rtl"])
        case ("mathvariant", _): return SanitizerRules.keyword(value, variants)
        case ("stretchy", "mo"), ("symmetric", "mo"), ("fence", "mo"), ("separator", "mo"), ("largeop", "mo"),
            ("movablelimits", "mo"),
            ("displaystyle", "math"), ("displaystyle", "mstyle"), ("displaystyle", "mtable"), ("accent", "mover"),
            ("accent", "munderover"),
            ("accentunder", "munder"), ("accentunder", "munderover"):
            return SanitizerRules.keyword(value, ["true", "false"])
        case ("form", "mo"): return SanitizerRules.keyword(value, ["prefix", "infix", "postfix"])
        // A fraction without a line, as in binomials.
        case ("linethickness", "mfrac"):
            return value.utf8.first == UInt8(ascii: "0") && !value.utf8.contains(where: isNonZero) ? "0" : nil
        case ("columnalign", "mtable"), ("columnalign", "mtr"), ("columnalign", "mtd"): return columns(value)
        case ("columnspan", "mtd"), ("rowspan", "mtd"): return SanitizerRules.number(value, in: 1...100)
        case ("width", "mspace"): return width(value)
        default: return nil
        }
    }

    private static let variants: Set<String> = [
        "normal", "bold", "italic", "bold-italic", "double-struck", "bold-fraktur", "script", "bold-script", "fraktur",
        "sans-serif",
        "bold-sans-serif", "sans-serif-italic", "sans-serif-bold-italic", "monospace",
    ]

    private static func isNonZero(_ byte: UInt8) -> Bool { byte >= 0x31 && byte <= 0x39 }

    private static func columns(_ value: String) -> String? {
        let words = value.lowercased().split(separator: " ").prefix(50)
        guard !words.isEmpty, words.allSatisfy({ ["left", "center", "right"].contains($0) }) else { return nil }
        return words.joined(separator: " ")
    }

    /// At most 9.99 em, the widest space used in formulas.
    private static func width(_ value: String) -> String? {
        guard value.hasSuffix("em") else { return nil }
        let number = value.dropLast(2)
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { $0.utf8.count <= 4 && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
        guard isPlain, (parts.first ?? "").utf8.count <= 1, number.utf8.contains(where: { $0 != 0x2E }) else {
            return nil
        }
        return value
    }
}
