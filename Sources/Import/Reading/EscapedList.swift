/// Names in one text, as Lectern exports them: a backslash stands before a separator, or a backslash, that is part of a
/// name. Any other backslash is itself.
enum EscapedList {
    /// Names with commas between them.
    static func read(_ text: String) -> [String] {
        parts(text, separatedBy: ",").map { plain($0).trimmed }.filter { !$0.isEmpty }
    }

    /// The parts between separators that no backslash stands before, with their backslashes.
    static func parts(_ text: String, separatedBy separator: Character) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for character in text {
            if character == separator, !isEscaped {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }

    /// A name without the backslashes before other characters.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var (plain, isEscaped) = ("", false)
        for character in text {
            if isEscaped {
                if !"\\,/".contains(character) { plain.append("\\") }
                plain.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                plain.append(character)
            }
        }
        return isEscaped ? plain + "\\" : plain
    }
}
