/// Names of files that follow from titles.
public enum FileName {
    /// Characters and bytes of a name. File systems allow 255 bytes. A character may have any number of bytes, because
    /// all marks on a letter are one character with it.
    private static let maxLength = 60
    private static let maxBytes = 240

    /// The letters and numbers of a title, in words; nil for a title without any.
    public static func words(of title: String) -> String? {
        let letters = title.map { character in
            let isPlain = character.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || scalar.properties.canonicalCombiningClass != .notReordered
            }
            return isPlain ? character : character == "'" || character == "’" ? "’" : " "
        }
        let words = String(letters).split(separator: " ").joined(separator: " ").prefix(maxLength)
        var name = start(of: String(words), maxBytes: maxBytes)
        while name.last == " " { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    /// As many whole characters of a text as fit.
    public static func start(of text: String, maxBytes: Int) -> String {
        var (short, bytes) = ("", 0)
        for character in text {
            bytes += String(character).utf8.count
            if bytes > maxBytes { break }
            short.append(character)
        }
        return short
    }
}
