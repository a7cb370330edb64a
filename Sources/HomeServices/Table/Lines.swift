/// The lines of a text file that are neither empty nor comments, without spaces around them, with their numbers from 1.
func lines(of text: String) -> [(number: Int, text: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
        let line = line.trimmed
        return line.isEmpty || line.hasPrefix("#") ? nil : (index + 1, Substring(line))
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}

extension Character {
    var isControl: Bool { unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } }
}
