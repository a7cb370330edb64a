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
        var name: String?
        for line in lines[1..<end] {
            let content = line.trimmed
            if content.isEmpty || content.hasPrefix("#") { continue }
            if let name, content.hasPrefix("- ") || content == "-" {
                let item = Self.scalar(content.dropFirst().trimmed)
                values[name] = .list((values[name]?.listed ?? []) + (item.isEmpty ? [] : [item]))
            } else if line.first?.isWhitespace == true, let key = name, let known = values[key]?.text {
                // A text goes on in the next line.
                values[key] = .text(known + " " + content)
            } else if let colon = content.firstIndex(of: ":") {
                let key = content[..<colon].trimmed.lowercased()
                let value = content[content.index(after: colon)...].trimmed
                name = key
                if value.first == "[", value.last == "]" {
                    values[key] = .list(TagList.read(value))
                } else {
                    let isFolded = [">", "|", ">-", "|-"].contains(value)
                    values[key] = .text(isFolded ? "" : Self.scalar(value))
                }
            }
        }
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

extension FrontMatterText.Value {
    fileprivate var listed: [String]? { if case .list(let texts) = self { texts } else { nil } }
}
