/// What the pages of articles are called: their place in the list, then the title as far as every file system takes it.
struct ArticleNames {
    private(set) var all: [String] = []
    /// Digits of the highest place, so that folders sort them.
    private let digits: Int

    init(count: Int = 0) { digits = String(count).utf8.count }

    mutating func add(title: String?) {
        let number = String(all.count + 1)
        all.append(String(repeating: "0", count: max(0, digits - number.utf8.count)) + number + " " + Self.safe(title) + ".html")
    }

    /// Bytes of a title; a file name has 255 at most.
    private static let longest = 120

    /// Letters, digits and harmless signs: what Windows, macOS or a shell would stumble over is a blank, what would hide or
    /// turn round other letters is gone.
    static func safe(_ title: String?) -> String {
        var safe = ""
        for scalar in (title ?? "").unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: safe += " "
            case .format, .surrogate, .privateUse, .unassigned: break
            default: safe.unicodeScalars.append("/\\:*?\"<>|%#".unicodeScalars.contains(scalar) ? " " : scalar)
            }
        }
        var words = ""
        for word in safe.split(separator: " ") {
            let longer = words.isEmpty ? String(word) : words + " " + word
            guard longer.utf8.count <= longest else {
                if words.isEmpty { words = cut(longer) }
                break
            }
            words = longer
        }
        while let last = words.last, last == "." || last == " " { words.removeLast() }
        return words.isEmpty ? "untitled" : words
    }

    private static func cut(_ word: String) -> String {
        var (short, bytes) = ("", 0)
        for character in word {
            bytes += String(character).utf8.count
            if bytes > longest { break }
            short.append(character)
        }
        return short
    }
}
