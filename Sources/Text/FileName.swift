/// Names of files that follow from titles.
public enum FileName {
    /// Characters of a name. File systems allow 255 bytes, which 60 characters of four bytes stay below.
    private static let maxLength = 60

    /// The letters and numbers of a title, in words; nil for a title without any.
    public static func words(of title: String) -> String? {
        let letters = title.map { character in
            let isPlain = character.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || scalar.properties.canonicalCombiningClass != .notReordered
            }
            return isPlain ? character : character == "'" || character == "’" ? "’" : " "
        }
        var name = String(letters).split(separator: " ").joined(separator: " ").prefix(maxLength)
        while name.last == " " { name.removeLast() }
        return name.isEmpty ? nil : String(name)
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
