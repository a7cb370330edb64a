/// The metadata at the start of a Markdown file, between two lines of dashes, in simple YAML: `name: value`.
struct MarkdownFrontMatter: Equatable {
    var title: String?
    var author: String?
    var date: String?
    var description: String?
    var site: String?
    var lang: String?
    /// As written.
    var direction: String?

    /// The longest front matter, in bytes.
    private static let maxBytes = 64 * 1_024

    /// Removes the front matter from the start of a file and returns it; returns an empty one if the file has none.
    static func take(from file: inout [UInt8]) -> MarkdownFrontMatter {
        var matter = MarkdownFrontMatter()
        guard file.starts(with: "---\n".utf8) || file.starts(with: "---\r\n".utf8) else { return matter }
        let head = file.prefix(maxBytes)
        var start = (head.firstIndex(of: 0x0A) ?? 3) + 1
        while start < head.count {
            let end = head[start...].firstIndex(of: 0x0A) ?? head.count
            let line = String(decoding: head[start..<end], as: UTF8.self)
            let bare = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if bare == "---" || bare == "..." {
                file.removeFirst(min(end + 1, file.count))
                return matter
            }
            matter.parse(line)
            start = end + 1
        }
        // Without an end it is a thematic break followed by text.
        return MarkdownFrontMatter()
    }

    private mutating func parse(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        var value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let quote = value.first, quote == "\"" || quote == "'", value.count >= 2, value.last == quote {
            value = String(value.dropFirst().dropLast())
        } else if let first = value.first, "[{|>&*".contains(first) {
            return
        }
        guard !value.isEmpty else { return }
        switch line[..<colon].lowercased() {
        case "title": title = title ?? value
        case "author": author = author ?? value
        case "date": date = date ?? value
        case "description", "summary", "excerpt": description = description ?? value
        case "site", "site_name": site = site ?? value
        case "lang", "language": lang = lang ?? value
        case "dir": direction = direction ?? value
        default: break
        }
    }
}
