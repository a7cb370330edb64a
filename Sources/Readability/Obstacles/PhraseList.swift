import HTML

/// Phrases of which one may stand in a short text. Both are in the form of ``normalized(_:)``.
struct PhraseList: Sendable {
    /// By their first byte, so that most places of a text are passed with one look.
    private var phrases: [[[UInt8]]] = Array(repeating: [], count: 256)

    /// - Parameter text: a phrase a line; what begins with `#` is a comment.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let phrase = PhraseList.normalized(Array(line.utf8))
            if let first = phrase.first { phrases[Int(first)].append(phrase) }
        }
    }

    /// Whether one of them stands there, as whole words where their script parts words.
    func isIn(_ text: [UInt8]) -> Bool {
        for index in text.indices {
            for phrase in phrases[Int(text[index])] where stands(phrase, in: text, at: index) { return true }
        }
        return false
    }

    /// Whether the text is one of them, and nothing else but signs around it.
    func isAll(of text: some Collection<UInt8>) -> Bool {
        let bare = Array(text.drop(while: PhraseList.isSign).reversed().drop(while: PhraseList.isSign).reversed())
        guard let first = bare.first else { return false }
        return phrases[Int(first)].contains(bare)
    }

    private func stands(_ phrase: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        let end = start + phrase.count
        guard end <= text.count, text[start..<end].elementsEqual(phrase) else { return false }
        if start > 0, PhraseList.isWord(text[start - 1]), PhraseList.isWord(phrase[0]) { return false }
        return end == text.count || !PhraseList.isWord(text[end]) || !PhraseList.isWord(phrase[phrase.count - 1])
    }

    private static func isWord(_ byte: UInt8) -> Bool { isWordCharacter(byte) }

    private static func isSign(_ byte: UInt8) -> Bool { byte < 0x80 && !isWordCharacter(byte) }

    /// In small letters, white space made single spaces, apostrophes straight.
    static func normalized(_ text: [UInt8]) -> [UInt8] {
        let straight = String(decoding: text, as: UTF8.self).lowercased().unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\u{2019}", "\u{2018}", "\u{02BC}": "'"
            case _ where scalar.properties.isWhitespace: " "
            default: scalar
            }
        }
        return WhiteSpace.collapse(Array(String(String.UnicodeScalarView(straight)).utf8))
    }
}
