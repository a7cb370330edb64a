import Text

/// An article as Markdown that stays text in PullRead's viewer.
///
/// Before the viewer parses Markdown, it takes out what it holds for remains of bad conversions, such as braces and some
/// commands of TeX. With them it can take out a backslash or a backtick, so that text or code of an article becomes
/// markup, which the viewer does not sanitise. In a file that it changes, a word joiner therefore follows every `<` that
/// could begin a tag: it is not seen, and is not part of a tag.
public enum ViewerMarkdown {
    private static let wordJoiner: [UInt8] = [0xE2, 0x81, 0xA0]
    /// Pictures whose address the viewer decodes.
    private static let decoded = "substackcdn.com/image/fetch/"

    /// - Parameter file: front matter and Markdown.
    public static func shielded(_ file: String) -> String {
        guard let end = file.firstRange(of: "\n---\n")?.upperBound else { return file }
        let body = file[end...]
        guard isChanged(body) else { return file }
        var output = Array(file[..<end].utf8)
        output.reserveCapacity(file.utf8.count + 64)
        var rest = body.utf8[...]
        while let less = rest.firstIndex(of: UInt8(ascii: "<")) {
            let next = rest.index(after: less)
            output += rest[..<next]
            rest = rest[next...]
            if mayBeginTag(rest) { output += wordJoiner }
        }
        output += rest
        let shielded = String(decoding: output, as: UTF8.self)
        return body.contains(decoded) ? escapedTwice(shielded, from: end) : shielded
    }

    /// Whether the viewer may change this Markdown.
    private static func isChanged(_ body: Substring) -> Bool {
        if body.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\\") }) { return true }
        if ["_POSTSU", "(/web/", decoded].contains(where: { body.contains($0) }) { return true }
        return body.split(separator: "\n", omittingEmptySubsequences: true).contains { line in
            let text = line.utf8.drop { $0 == 0x20 }
            let last = line.utf8.last { $0 != 0x20 }
            return line.hasPrefix("(http") || text.first.map(isBracket) == true || last.map(isBracket) == true
        }
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }

    /// Whether this text could be a tag behind a `<`. An address in angle brackets could not.
    private static func mayBeginTag(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return false }
        switch first {
        case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return !["http:", "https:", "mailto:"].contains { text.starts(with: $0.utf8) }
        default: return false
        }
    }

    /// Escapes ASCII punctuation once more, so that it is still escaped after the viewer has decoded the addresses.
    private static func escapedTwice(_ file: String, from start: String.Index) -> String {
        let offset = file.utf8.distance(from: file.startIndex, to: start)
        let bytes = Array(file.utf8)
        var output = Array(bytes[..<offset])
        for index in offset..<bytes.count {
            output.append(bytes[index])
            guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(hexadecimal: bytes[index + 1], bytes[index + 2]),
                byte < 0x20 || "<>()[]`\"'\\ ".utf8.contains(byte)
            else {
                continue
            }
            output += "25".utf8
        }
        return String(decoding: output, as: UTF8.self)
    }
}
