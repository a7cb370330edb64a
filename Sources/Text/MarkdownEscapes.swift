/// Escapes text so that a CommonMark parser reads it literally.
public enum MarkdownEscapes {
    public static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }

    public static func isPunctuation(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !isAlphanumeric(byte) }

    public static func longestRun(of byte: UInt8, in text: some Sequence<UInt8>) -> Int {
        var longest = 0
        var current = 0
        for other in text {
            current = other == byte ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    /// The context of a text, in which additional characters need escapes.
    public struct Context {
        /// In the text of a link or an image.
        public var isInBrackets = false
        /// In a table cell.
        public var isInCell = false

        public init(isInBrackets: Bool = false, isInCell: Bool = false) {
            (self.isInBrackets, self.isInCell) = (isInBrackets, isInCell)
        }
    }

    private static let special: [Bool] = (0...255).map { "\\`*_~[]<&|".utf8.contains(UInt8($0)) }

    // MARK: Running text

    /// Writes text with a backslash before each character that would be parsed as markup. Characters that are special
    /// only at the start of a line are handled by ``positionToEscape(inLine:)``.
    public static func write(_ text: UnsafeBufferPointer<UInt8>, in context: Context, to output: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            guard special[Int(text[index])] else {
                index += 1
                continue
            }
            let end = endOfRun(text, index)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            let escapes = needsEscape(text, index..<end, context)
            for _ in index..<end {
                if escapes { output.append(UInt8(ascii: "\\")) }
                output.append(text[index])
            }
            index = end
            start = end
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Runs of `*`, `_` and `~` are parsed as a unit.
    private static func endOfRun(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        switch text[start] {
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            while end < text.count, text[end] == text[start] { end += 1 }
        default: break
        }
        return end
    }

    /// Assumes the worst case for the characters beyond the ends of the text, which are unknown.
    private static func needsEscape(_ text: UnsafeBufferPointer<UInt8>, _ run: Range<Int>, _ context: Context) -> Bool {
        let before = run.lowerBound > 0 ? text[run.lowerBound - 1] : nil
        let after = run.upperBound < text.count ? text[run.upperBound] : nil
        switch text[run.lowerBound] {
        case UInt8(ascii: "\\"): return after.map(isPunctuation) ?? true
        case UInt8(ascii: "*"), UInt8(ascii: "~"): return before != 0x20 || after != 0x20
        case UInt8(ascii: "_"):
            if let before, let after, isAlphanumeric(before), isAlphanumeric(after) { return false }
            return before != 0x20 || after != 0x20
        case UInt8(ascii: "]"): return context.isInBrackets
        case UInt8(ascii: "<"): return after != 0x20
        case UInt8(ascii: "|"): return context.isInCell
        case UInt8(ascii: "&"): return mayBeReference(text, at: run.lowerBound)
        default: return true
        }
    }

    /// Whether a character reference starts here, or could start here if more text follows.
    private static func mayBeReference(
        _ text: UnsafeBufferPointer<UInt8>, at ampersand: Int, mayContinue: Bool = true
    ) -> Bool {
        var index = ampersand + 1
        if index < text.count, text[index] == UInt8(ascii: "#") { index += 1 }
        // Longer than any name in the standard.
        let end = min(text.count, index + 40)
        let start = index
        while index < end, isAlphanumeric(text[index]) { index += 1 }
        if index == text.count { return mayContinue }
        return index > start && text[index] == UInt8(ascii: ";")
    }

    // MARK: Line starts

    /// Returns the position that needs a backslash so that a paragraph's line does not start another kind of block; nil
    /// if none is needed.
    public static func positionToEscape(inLine line: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = line.first else { return nil }
        func isEnd(_ index: Int) -> Bool { index >= line.count || line[index] == 0x20 || line[index] == 0x09 }
        switch first {
        case UInt8(ascii: ">"): return 0
        case UInt8(ascii: "#"):
            let level = line.prefix { $0 == UInt8(ascii: "#") }.count
            return level <= 6 && isEnd(level) ? 0 : nil
        case UInt8(ascii: "+"): return isEnd(1) ? 0 : nil
        case UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "|"):
            // A list item, or the line below a heading or below a table's header row.
            if first == UInt8(ascii: "-") && isEnd(1) { return 0 }
            return line.allSatisfy { "-=:| ".utf8.contains($0) } ? 0 : nil
        case 0x30...0x39:
            let digits = line.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
            let isNumber =
                digits <= 9 && digits < line.count
                && (line[digits] == UInt8(ascii: ".") || line[digits] == UInt8(ascii: ")"))
            return isNumber && isEnd(digits + 1) ? digits : nil
        case UInt8(ascii: "["):
            // A colon after a footnote label would start a footnote definition.
            guard line.count > 1, line[1] == UInt8(ascii: "^"), let end = line.firstIndex(of: UInt8(ascii: "]")) else {
                return nil
            }
            return end + 1 < line.count && line[end + 1] == UInt8(ascii: ":") ? end + 1 : nil
        default: return nil
        }
    }

    /// Returns the position that needs a backslash so that trailing `#` characters stay part of a heading's text.
    public static func positionToEscape(inHeading title: [UInt8]) -> Int? {
        let text = title.reversed().drop { $0 == UInt8(ascii: "#") }
        let start = text.count
        return start < title.count && (start == 0 || text.first == 0x20) ? start : nil
    }

    // MARK: URLs and titles

    /// Writes a URL as it appears in the parentheses of links and images.
    public static func writeDestination(_ address: [UInt8], to output: inout [UInt8]) {
        let isBracketed = address.contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
        if isBracketed { output.append(UInt8(ascii: "<")) }
        address.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"):
                    // `|` would end a table cell.
                    output.append(UInt8(ascii: "%"))
                    let digits = String(bytes[index], radix: 16, uppercase: true)
                    output.append(contentsOf: (digits.count < 2 ? "0" + digits : digits).utf8)
                case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
                case UInt8(ascii: "&") where mayBeReference(bytes, at: index, mayContinue: false):
                    output.append(contentsOf: "\\&".utf8)
                default: output.append(bytes[index])
                }
            }
        }
        if isBracketed { output.append(UInt8(ascii: ">")) }
    }

    /// Writes a title after a URL, with the space before it; nothing if the title is empty.
    public static func writeTitle(_ title: [UInt8], to output: inout [UInt8]) {
        guard !title.isEmpty else { return }
        output.append(contentsOf: " \"".utf8)
        title.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                let isSpecial =
                    switch bytes[index] {
                    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "|"), UInt8(ascii: "`"),
                        UInt8(ascii: "<"):
                        true
                    case UInt8(ascii: "&"): mayBeReference(bytes, at: index, mayContinue: false)
                    default: false
                    }
                if isSpecial { output.append(UInt8(ascii: "\\")) }
                output.append(bytes[index])
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    // MARK: Characters around delimiters

    /// The character classes in CommonMark's flanking rules.
    public enum CharacterClass {
        case space, punctuation, other
        /// A symbol: punctuation since CommonMark 0.31, but not before.
        case symbol
    }

    public static func characterClass(_ scalar: Unicode.Scalar) -> CharacterClass {
        if scalar.isASCII {
            let byte = UInt8(scalar.value)
            return byte == 0x20 || byte == 0x0A ? .space : isPunctuation(byte) ? .punctuation : .other
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator: return .space
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation,
            .otherPunctuation:
            return .punctuation
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .lineSeparator, .paragraphSeparator:
            return .symbol
        default: return .other
        }
    }

    /// Whether a delimiter between these two characters is left-flanking in every parser. Swap them to check for
    /// right-flanking.
    public static func isLeftFlanking(before: CharacterClass, after: CharacterClass) -> Bool {
        switch after {
        case .space: false
        case .other: true
        case .punctuation, .symbol: before == .space || before == .punctuation
        }
    }
}
