/// Tags as exports write them into one text.
enum TagList {
    /// Tags with this separator between them.
    static func read(_ text: String?, separatedBy separator: Character) -> [String] {
        (text ?? "").split(separator: separator).map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// A list as Python or JSON write it, such as `['one', "it's"]`, or tags with commas between them.
    static func read(_ text: String?) -> [String] {
        guard let text = text?.trimmed, !text.isEmpty else { return [] }
        guard text.first == "[", text.last == "]" else { return read(text, separatedBy: ",") }
        var (tags, tag, quote): ([String], String, Character?) = ([], "", nil)
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if isEscaped {
                tag.append(character)
                isEscaped = false
            } else if let open = quote {
                if character == "\\" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                } else {
                    tag.append(character)
                }
            } else if character == "'" || character == "\"", tag.allSatisfy(\.isWhitespace) {
                (quote, tag) = (character, "")
            } else if character == "," {
                tags.append(tag)
                tag = ""
            } else {
                tag.append(character)
            }
        }
        return (tags + [tag]).map { $0.trimmed }.filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// Without blanks around it.
    var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
