/// Names in one text, as Lectern exports them: a backslash stands before a separator, or a backslash, that is part of a
/// name. Any other backslash is itself.
enum EscapedList {
    /// Names with commas between them.
    static func read(_ text: String) -> [String] {
        parts(text, separatedBy: ",").map { plain($0).trimmed }.filter { !$0.isEmpty }
    }

    /// The parts between separators that no backslash stands before, with their backslashes. A combining mark may follow a
    /// separator.
    static func parts(_ text: String, separatedBy separator: Unicode.Scalar) -> [String] {
        var (parts, isEscaped) = ([String.UnicodeScalarView()], false)
        for scalar in text.unicodeScalars {
            if scalar == separator, !isEscaped {
                parts.append(.init())
                continue
            }
            parts[parts.count - 1].append(scalar)
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts.map { String($0) }
    }

    /// A name without the backslashes before other characters.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var (plain, isEscaped) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            if isEscaped {
                if scalar != "\\" && scalar != "," && scalar != "/" { plain.append("\\") }
                plain.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                plain.append(scalar)
            }
        }
        if isEscaped { plain.append("\\") }
        return String(plain)
    }
}
