import Text

/// The file names of article pages: the position in the list, then as much of the title as every file system accepts.
struct ArticleNames {
    private(set) var all: [String] = []
    /// The number of digits of the last position, so that names sort by position.
    private let digits: Int

    init(count: Int = 0) { digits = String(count).utf8.count }

    mutating func add(title: String?) {
        let number = String(all.count + 1)
        all.append(
            String(repeating: "0", count: max(0, digits - number.utf8.count)) + number + " " + Self.safe(title)
                + ".html")
    }

    /// The longest title in bytes; a file name has at most 255.
    private static let maxBytes = 120

    /// Letters, digits and harmless punctuation. Characters that are special to Windows, macOS or a shell become
    /// spaces; characters that hide or reorder others are removed.
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
            guard longer.utf8.count <= maxBytes else {
                if words.isEmpty { words = FileName.start(of: longer, maxBytes: maxBytes) }
                break
            }
            words = longer
        }
        while let last = words.last, last == "." || last == " " { words.removeLast() }
        return words.isEmpty ? "untitled" : words
    }
}
