/// The YAML block at the beginning of a Markdown file, as note programs write it: names with a text or a list of texts.
struct FrontMatterText {
    enum Value: Equatable {
        case text(String)
        case list([String])

        var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }

        var list: [String] {
            switch self {
            case .text(let text): TagList.read(text)
            case .list(let texts): texts
            }
        }
    }

    /// By names in lower case.
    var values: [String: Value] = [:]
    /// The text after the block.
    var body: Substring

    /// - Returns: nil for a text without such a block.
    init?(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        guard let first = lines.first, first.trimmed == "---",
            let end = lines.dropFirst().firstIndex(where: { $0.trimmed == "---" || $0.trimmed == "..." })
        else { return nil }
        body = lines[end].endIndex < text.endIndex ? text[text.index(after: lines[end].endIndex)...] : ""
        // The value of the last name, which later lines continue: its text, or its list. In the dictionary, the value
        // would be copied for each of these lines.
        var (name, text, list): (String?, String, [String]?) = (nil, "", nil)
        for line in lines[1..<end] {
            let content = line.trimmed
            if content.isEmpty || content.hasPrefix("#") { continue }
            if name != nil, content.hasPrefix("- ") || content == "-" {
                let item = Self.scalar(content.dropFirst().trimmed)
                if list == nil { list = [] }
                if !item.isEmpty { list?.append(item) }
            } else if line.first?.isWhitespace == true, name != nil, list == nil, !text.isEmpty {
                text += " "
                text += content
            } else if let colon = content.firstIndex(of: ":") {
                if let name { values[name] = list.map(Value.list) ?? .text(text) }
                name = content[..<colon].trimmed.lowercased()
                let value = content[content.index(after: colon)...].trimmed
                if value.first == "[", value.last == "]" {
                    list = TagList.read(value)
                } else {
                    list = nil
                    text = [">", "|", ">-", "|-"].contains(value) ? "" : Self.scalar(value)
                }
            }
        }
        if let name { values[name] = list.map(Value.list) ?? .text(text) }
    }

    /// A text without its quotation marks or a comment.
    private static func scalar(_ text: String) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'" else {
            if let comment = text.firstRange(of: " #") { return text[..<comment.lowerBound].trimmed }
            return text == "null" || text == "~" ? "" : text
        }
        var (result, isEscaped, rest) = ("", false, text.dropFirst())
        while let character = rest.popFirst() {
            if isEscaped {
                result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
                isEscaped = false
            } else if character == "\\", quote == "\"" {
                isEscaped = true
            } else if character == quote {
                guard quote == "'", rest.first == "'" else { break }
                result.append(rest.removeFirst())
            } else {
                result.append(character)
            }
        }
        return result
    }
}
