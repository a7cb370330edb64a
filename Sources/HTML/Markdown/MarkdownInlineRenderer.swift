import Text

/// Renders a block's inline content as Markdown that CommonMark parsers read as the same text with the same marks.
struct MarkdownInlineRenderer {
    let inline: MarkdownInline
    let isInCell: Bool

    private var delimiters: [MarkdownMark.Delimiters?]
    private var output: [UInt8] = []
    private var isInBrackets = false
    private var isInAngles = false

    /// - Returns: one line, or several if there are line breaks; always one line in a table cell.
    static func render(_ inline: MarkdownInline, isInCell: Bool) -> [UInt8] {
        var renderer = MarkdownInlineRenderer(inline: inline, isInCell: isInCell)
        renderer.chooseDelimiters()
        renderer.write()
        return renderer.output
    }

    private init(inline: MarkdownInline, isInCell: Bool) {
        self.inline = inline
        self.isInCell = isInCell
        delimiters = Array(repeating: nil, count: inline.pairs.count)
    }

    // MARK: Delimiters

    private mutating func chooseDelimiters() {
        for pair in inline.pairs.indices { delimiters[pair] = chosenDelimiters(for: pair) }
    }

    private func chosenDelimiters(for index: Int) -> MarkdownMark.Delimiters {
        let pair = inline.pairs[index]
        switch pair.mark.kind {
        case .link: return isPlainAddress(pair) ? .angles : .brackets
        case .deleted: return isFlanking(pair) && !isAdjacent(to: .tildes, pair) ? .tildes : .tags
        case .strong, .emphasis:
            guard isFlanking(pair) else { return .tags }
            if !isAdjacent(to: .asterisks, pair) || fillsAsterisks(pair) { return .asterisks }
            return isAtWordBoundaries(pair) && !isAdjacent(to: .underscores, pair) ? .underscores : .tags
        case .inserted, .highlighted, .lowered, .raised: return .tags
        }
    }

    /// Whether parsers recognize delimiters at both ends of the text as opening and closing.
    private func isFlanking(_ pair: MarkdownInline.Pair) -> Bool {
        MarkdownEscapes.isLeftFlanking(
            before: characterClass(before: pair.opening), after: characterClass(after: pair.opening))
            && MarkdownEscapes.isLeftFlanking(
                before: characterClass(after: pair.closing), after: characterClass(before: pair.closing))
    }

    /// Whether both ends are at word boundaries. Underscores within a word have no effect.
    private func isAtWordBoundaries(_ pair: MarkdownInline.Pair) -> Bool {
        [characterClass(before: pair.opening), characterClass(after: pair.closing)].allSatisfy {
            $0 == .space || $0 == .punctuation
        }
    }

    /// Whether an adjacent mark uses the same delimiters, which would be parsed as one run.
    private func isAdjacent(to own: MarkdownMark.Delimiters, _ pair: MarkdownInline.Pair) -> Bool {
        [pair.opening - 1, pair.opening + 1, pair.closing - 1, pair.closing + 1].contains { delimiters(at: $0) == own }
    }

    /// Whether a mark spans the whole content of another mark with asterisks, and no further asterisks are adjacent:
    /// parsers read `***` as both marks.
    private func fillsAsterisks(_ pair: MarkdownInline.Pair) -> Bool {
        guard pair.opening > 0, case .open(let outer) = inline.tokens[pair.opening - 1],
            delimiters[outer] == .asterisks,
            inline.pairs[outer].closing == pair.closing + 1
        else { return false }
        return delimiters(at: pair.opening + 1) != .asterisks && delimiters(at: pair.closing - 1) != .asterisks
            && delimiters(at: pair.opening - 2) != .asterisks && delimiters(at: pair.closing + 2) != .asterisks
    }

    /// Returns the delimiters of the mark that a token opens or closes; nil for other tokens.
    private func delimiters(at token: Int) -> MarkdownMark.Delimiters? {
        guard inline.tokens.indices.contains(token) else { return nil }
        return switch inline.tokens[token] {
        case .open(let pair), .close(let pair): delimiters[pair]
        case .text, .code, .raw, .lineBreak: nil
        }
    }

    private func characterClass(before token: Int) -> MarkdownEscapes.CharacterClass {
        guard token > 0 else { return .space }
        switch inline.tokens[token - 1] {
        case .text(let range):
            var start = range.upperBound - 1
            while start > range.lowerBound, inline.bytes[start] & 0xC0 == 0x80 { start -= 1 }
            return characterClass(at: start..<range.upperBound)
        case .lineBreak: return isInCell ? .punctuation : .space
        case .code, .raw, .open, .close: return .punctuation
        }
    }

    private func characterClass(after token: Int) -> MarkdownEscapes.CharacterClass {
        guard token + 1 < inline.tokens.count else { return .space }
        if case .text(let range) = inline.tokens[token + 1] { return characterClass(at: range.prefix(4)) }
        return .punctuation
    }

    /// Returns the class of the first character in the range.
    private func characterClass(at range: Range<Int>) -> MarkdownEscapes.CharacterClass {
        String(decoding: inline.bytes[range], as: UTF8.self).unicodeScalars.first.map(MarkdownEscapes.characterClass)
            ?? .space
    }

    /// Whether a link's text is its URL and can be written in angle brackets. Parsers do not agree on escapes and
    /// decoding there, so the URL must need neither.
    private func isPlainAddress(_ pair: MarkdownInline.Pair) -> Bool {
        guard pair.mark.title.isEmpty, pair.closing == pair.opening + 2,
            case .text(let range) = inline.tokens[pair.opening + 1],
            inline.bytes[range].elementsEqual(pair.mark.address)
        else { return false }
        let address = pair.mark.address
        return (address.starts(with: "http://".utf8) || address.starts(with: "https://".utf8))
            && address.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>&%|\\`".utf8.contains($0) }
    }

    // MARK: Writing

    private mutating func write() {
        output.reserveCapacity(inline.bytes.count + inline.bytes.count / 8)
        for token in inline.tokens {
            switch token {
            case .text(let range): writeText(range)
            case .code(let range): writeCode(Array(inline.bytes[range]))
            case .raw(let range):
                if inline.bytes[range].first == UInt8(ascii: "[") { guardBracket() }
                output += inline.bytes[range]
            case .lineBreak: output.append(contentsOf: (isInCell ? "<br>" : "\\\n").utf8)
            case .open(let pair):
                let chosen = delimiters[pair] ?? .tags
                if chosen == .brackets {
                    guardBracket()
                    isInBrackets = true
                }
                inline.pairs[pair].mark.writeOpening(chosen, to: &output)
                isInAngles = chosen == .angles
            case .close(let pair):
                if delimiters[pair] == .brackets { isInBrackets = false }
                if delimiters[pair] == .angles { isInAngles = false }
                inline.pairs[pair].mark.writeClosing(delimiters[pair] ?? .tags, to: &output)
            }
        }
    }

    private mutating func writeText(_ range: Range<Int>) {
        if isInAngles {
            output += inline.bytes[range]
            return
        }
        let context = MarkdownEscapes.Context(isInBrackets: isInBrackets, isInCell: isInCell)
        inline.bytes.withUnsafeBufferPointer {
            MarkdownEscapes.write(UnsafeBufferPointer(rebasing: $0[range]), in: context, to: &output)
        }
    }

    /// Escapes an exclamation mark that would turn a link into an image, and a circumflex that pandoc would read as a
    /// footnote.
    private mutating func guardBracket() {
        if output.last == UInt8(ascii: "!") || output.last == UInt8(ascii: "^") {
            output.insert(UInt8(ascii: "\\"), at: output.count - 1)
        }
    }

    private mutating func writeCode(_ code: [UInt8]) {
        let backtick = UInt8(ascii: "`")
        if isInCell && code.contains(UInt8(ascii: "|")) && code.contains(UInt8(ascii: "\\")) {
            // Parsers disagree about a backslash before `|` in code within a table cell.
            output.append(contentsOf: "<code>".utf8)
            for byte in code {
                if MarkdownEscapes.isPunctuation(byte) {
                    output.append(contentsOf: "&#\(byte);".utf8)
                } else {
                    output.append(byte)
                }
            }
            output.append(contentsOf: "</code>".utf8)
            return
        }
        let fence = Array(repeating: backtick, count: MarkdownEscapes.longestRun(of: backtick, in: code) + 1)
        let isPadded = code.first == backtick || code.last == backtick
        output += fence
        if isPadded { output.append(0x20) }
        for byte in code {
            if byte == UInt8(ascii: "|") && isInCell { output.append(UInt8(ascii: "\\")) }
            output.append(byte)
        }
        if isPadded { output.append(0x20) }
        output += fence
    }
}
