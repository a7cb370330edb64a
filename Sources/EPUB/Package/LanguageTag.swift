/// Language tags as EPUB requires them: well-formed by BCP 47. Pages write others, such as `en_US` or `english`.
enum LanguageTag {
    /// The language that stands for an unknown one.
    static let unknown = "und"

    /// The well-formed beginning of a tag; nil where it does not begin with a language.
    static func cleaned(_ written: String?) -> String? {
        guard let written, written.utf8.count <= 100 else { return nil }
        let parts = written.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
        guard let language = parts.first, (2...3).contains(language.utf8.count), isLetters(language) else { return nil }
        var tag = language
        // The parts that may follow, in their order: script, region, variants.
        var step = 0
        for part in parts.dropFirst() {
            if step < 1, part.utf8.count == 4, isLetters(part) {
                step = 1
                tag += "-" + part.prefix(1).uppercased() + part.dropFirst()
            } else if step < 2, (part.utf8.count == 2 && isLetters(part)) || (part.utf8.count == 3 && isDigits(part)) {
                step = 2
                tag += "-" + part.uppercased()
            } else {
                break
            }
        }
        return tag
    }

    /// Whether the language has only vertical lines: Mongolian in its traditional script, whose lines follow each other to
    /// the right. Japanese and Chinese have horizontal ones as well.
    ///
    /// - Parameter tag: a well-formed one.
    static func hasVerticalLines(_ tag: String) -> Bool { tag.hasPrefix("mn-Mong") }

    private static func isLetters(_ text: String) -> Bool { text.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
    private static func isDigits(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
