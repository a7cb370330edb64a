import HTML

/// A list of phrases to find in a short text. Phrases and text are in the form of ``normalized(_:)``.
struct PhraseList: Sendable {
    /// Grouped by first byte, so that one lookup dismisses most positions of a text.
    private var phrases: [[[UInt8]]] = Array(repeating: [], count: 256)

    /// - Parameter text: one phrase per line. A line that begins with `#` is a comment.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let phrase = PhraseList.normalized(Array(line.utf8))
            if let first = phrase.first { phrases[Int(first)].append(phrase) }
        }
    }

    /// Whether the text contains one of the phrases, as whole words if the script separates words.
    func isIn(_ text: [UInt8]) -> Bool {
        var isAfterWord = false
        for (index, byte) in text.enumerated() {
            let isWord = PhraseList.isWord(byte)
            // No phrase begins inside a word, which is most of a text.
            if !isAfterWord || !isWord {
                for phrase in phrases[Int(byte)] where stands(phrase, in: text, at: index) { return true }
            }
            isAfterWord = isWord
        }
        return false
    }

    /// Whether the text equals one of the phrases, ignoring ASCII punctuation around it.
    func isAll(of text: some Collection<UInt8>) -> Bool {
        let bare = Array(text.drop(while: PhraseList.isSign).reversed().drop(while: PhraseList.isSign).reversed())
        guard let first = bare.first else { return false }
        return phrases[Int(first)].contains(bare)
    }

    private func stands(_ phrase: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        let end = start + phrase.count
        guard end <= text.count, text[start..<end].elementsEqual(phrase) else { return false }
        return end == text.count || !PhraseList.isWord(text[end]) || !PhraseList.isWord(phrase[phrase.count - 1])
    }

    private static func isWord(_ byte: UInt8) -> Bool { isWordCharacter(byte) }

    private static func isSign(_ byte: UInt8) -> Bool { byte < 0x80 && !isWordCharacter(byte) }

    /// Returns the text in lower case, with runs of white space as one space and with straight apostrophes.
    static func normalized(_ text: [UInt8]) -> [UInt8] {
        if let plain = normalizedPlain(text) { return WhiteSpace.collapse(plain) }
        let straight = String(decoding: text, as: UTF8.self).lowercased().unicodeScalars.map {
            scalar -> Unicode.Scalar in
            switch scalar {
            case "\u{2019}", "\u{2018}", "\u{02BC}": "'"
            case _ where scalar.properties.isWhitespace: " "
            default: scalar
            }
        }
        return WhiteSpace.collapse(Array(String(String.UnicodeScalarView(straight)).utf8))
    }

    /// The fast path for Latin-1 with typographic dashes and quotation marks, which is most text; nil for any other
    /// text.
    private static func normalizedPlain(_ text: [UInt8]) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte < 0x80 {
                plain.append((0x09...0x0D).contains(byte) ? 0x20 : lowercased(byte))
                continue
            }
            guard index < text.count else { return nil }
            let next = text[index]
            index += 1
            switch (byte, next) {
            // The no-break space.
            case (0xC2, 0xA0): plain.append(0x20)
            case (0xC2, 0xA1...0xBF), (0xC3, 0x97), (0xC3, 0x9F...0xBF): plain += [byte, next]
            // `À` to `Þ`.
            case (0xC3, 0x80...0x9E): plain += [byte, next | 0x20]
            // U+2010 to U+2027.
            case (0xE2, 0x80):
                guard index < text.count, (0x90...0xA7).contains(text[index]) else { return nil }
                if text[index] == 0x98 || text[index] == 0x99 {
                    plain.append(UInt8(ascii: "'"))
                } else {
                    plain += [byte, next, text[index]]
                }
                index += 1
            default: return nil
            }
        }
        return plain
    }
}
