import HTML

/// Texts of feeds on one line, and as HTML.
enum FeedText {
    /// Bytes of the longest text of an entry.
    private static let maxText = 10_000_000

    /// The text of a piece of HTML on one line.
    ///
    /// - Parameter limit: characters; a longer text is cut. Nil where nothing is left.
    static func of(html: String, limit: Int) -> String? {
        guard html.utf8.contains(UInt8(ascii: "<")) || html.utf8.contains(UInt8(ascii: "&")) else {
            return line(html, limit: limit)
        }
        return line(PlainText.of(Array(html.utf8), limit: maxText).lines.joined(separator: " "), limit: limit)
    }

    /// Without control characters and surplus white space.
    static func line(_ text: String, limit: Int) -> String? {
        let words = text.unicodeScalars.split { $0.value <= 0x20 || $0.value == 0x7F || $0.properties.isWhitespace }
        let line = words.lazy.map { String(Substring($0)) }.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count <= limit ? line : String(line.prefix(limit - 1)) + "…"
    }

    /// Text as HTML.
    static func html(_ text: String) -> String {
        var html = "<p>"
        for character in text.unicodeScalars {
            switch character {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\n": html += "<br>"
            default: html.unicodeScalars.append(character)
            }
        }
        return html + "</p>"
    }
}
