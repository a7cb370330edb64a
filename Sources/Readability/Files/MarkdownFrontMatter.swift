/// What a Markdown file says of itself between two lines of dashes at its beginning, in simple YAML: `name: value`.
struct MarkdownFrontMatter: Equatable {
    var title: String?
    var author: String?
    var date: String?
    var description: String?

    /// Bytes of the longest one.
    private static let longest = 64 * 1_024

    /// Takes it off a file's beginning, where there is one.
    static func take(from file: inout [UInt8]) -> MarkdownFrontMatter {
        var matter = MarkdownFrontMatter()
        guard file.starts(with: "---\n".utf8) || file.starts(with: "---\r\n".utf8) else { return matter }
        let head = file.prefix(longest)
        var start = (head.firstIndex(of: 0x0A) ?? 3) + 1
        while start < head.count {
            let end = head[start...].firstIndex(of: 0x0A) ?? head.count
            let line = String(decoding: head[start..<end], as: UTF8.self)
            let bare = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if bare == "---" || bare == "..." {
                file.removeFirst(min(end + 1, file.count))
                return matter
            }
            matter.note(line)
            start = end + 1
        }
        // It never ended: a rule and text.
        return MarkdownFrontMatter()
    }

    private mutating func note(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        var value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            value = String(value.dropFirst().dropLast())
        }
        guard !value.isEmpty, !"[{|>&*".contains(value.prefix(1)) else { return }
        switch line[..<colon].lowercased() {
        case "title": title = title ?? value
        case "author": author = author ?? value
        case "date": date = date ?? value
        case "description", "summary", "excerpt": description = description ?? value
        default: break
        }
    }
}
