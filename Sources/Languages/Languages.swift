import CICU

/// Determines the language of a text, and its direction.
public enum Languages {
    /// Normalizes a language tag as written in pages (`en_US`, ` DE-at `) to the spelling of BCP 47; nil if it is not a
    /// tag.
    ///
    /// Source of the format: https://www.rfc-editor.org/rfc/rfc5646#section-2.1
    public static func tag(_ written: String?) -> String? {
        guard let written, written.utf8.count <= 64 else { return nil }
        let parts =
            written.split { $0.isWhitespace || $0 == "," || $0 == ";" }.first?
            .split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" } ?? []
        guard let first = parts.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy(isLetter) else {
            return nil
        }
        var tag = first.lowercased()
        // `und` and similar codes name no language.
        if ["und", "mul", "zxx", "mis"].contains(tag) { return nil }
        for part in parts.dropFirst() {
            guard (2...8).contains(part.utf8.count),
                part.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
            else { break }
            switch part.utf8.count {
            case 2: tag += "-" + part.uppercased()
            case 4 where part.utf8.allSatisfy(isLetter):
                tag += "-" + part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: tag += "-" + part.lowercased()
            }
        }
        return tag
    }

    /// Returns the language that the page declares, unless the text is clearly in another one.
    public static func language(declared: String?, of text: String) -> String? {
        guard let declared = tag(declared) else { return LanguageGuess(of: text)?.code }
        guard let guess = LanguageGuess(of: text), guess.isReliable, !areSimilar(guess.code, declared) else {
            return declared
        }
        return guess.code
    }

    /// Returns `ltr` or `rtl`, by the script in which the language is usually written.
    public static func direction(of tag: String) -> String { cicu_is_right_to_left(tag) != 0 ? "rtl" : "ltr" }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Groups of similar languages. Within a group, the page's declaration is more reliable than detection.
    private static let families: [Set<String>] = [
        ["hr", "sr", "bs", "me", "cnr"], ["id", "ms"], ["no", "nb", "nn", "da"], ["pt", "gl"], ["cs", "sk"],
        ["fa", "prs"], ["hi", "mr", "ne", "sa", "bh", "mai", "bho"], ["bg", "mk"], ["zh", "yue"], ["es", "ast", "gl"],
        ["nl", "af", "fy"], ["de", "lb", "gsw", "nds"], ["tl", "fil", "ceb"], ["ur", "pnb"], ["en", "sco"],
        ["tr", "az"], ["zu", "xh"],
    ]

    private static func areSimilar(_ one: String, _ other: String) -> Bool {
        let (one, other) = (one.prefix { $0 != "-" }, other.prefix { $0 != "-" })
        return one == other || families.contains { $0.contains(String(one)) && $0.contains(String(other)) }
    }
}
