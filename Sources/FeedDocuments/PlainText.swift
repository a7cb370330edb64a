/// The text of a piece of HTML on one line.
enum PlainText {
    /// Elements that stand within a word or a sentence. Others separate words.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "cite", "code", "del", "em", "font", "i", "ins", "mark", "q", "s", "small", "span",
        "strong",
        "sub", "sup", "u", "wbr",
    ]

    /// - Parameter limit: characters; a longer text is cut. Nil where nothing is left.
    static func of(html: String, limit: Int) -> String? {
        guard html.utf8.contains(UInt8(ascii: "<")) || html.utf8.contains(UInt8(ascii: "&")) else {
            return line(html, limit: limit)
        }
        var events = MarkupEvents(Array(html.utf8))
        var text = ""
        while let event = events.next() {
            switch event {
            case .text(let part): text += part
            case .start(let name, _):
                if ["script", "style"].contains(name) { events.skip(to: "</" + name) }
                if !inline.contains(name) { text += " " }
            case .end(let name): if !inline.contains(name) { text += " " }
            }
        }
        return line(text, limit: limit)
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
