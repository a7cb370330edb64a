/// Lowercase phrases at the start of a text. A word of the text must end where the phrase ends.
struct Openings: Sendable {
    /// By their first two bytes.
    private var phrases: [UInt16: [[UInt8]]] = [:]

    /// - Parameter lines: one phrase per line.
    init(_ lines: String) {
        for line in lines.utf8.split(separator: 0x0A) where line.count > 1 {
            phrases[Openings.key(line), default: []].append(Array(line))
        }
    }

    private static func key(_ text: some Collection<UInt8>) -> UInt16 {
        var key: UInt16 = 0
        for byte in text.prefix(2) { key = key << 8 | UInt16(byte) }
        return key
    }

    /// Returns the length in bytes of the longest phrase at the start of a text; nil if there is none.
    func opening(of text: ArraySlice<UInt8>) -> Int? {
        guard text.count > 1, let candidates = phrases[Openings.key(text)] else { return nil }
        var longest: Int?
        for phrase in candidates where phrase.count > longest ?? 0 && text.starts(with: phrase) {
            if Openings.endsWord(phrase, before: text.dropFirst(phrase.count)) { longest = phrase.count }
        }
        return longest
    }

    /// In scripts without spaces no end of a word is required.
    private static func endsWord(_ phrase: [UInt8], before rest: ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first, let last = phrase.last, continuesWord(last) else { return true }
        if phrase.count >= 3, phrase[phrase.count - 3] >= 0xE3 { return true }
        return !continuesWord(next) || next == 0xC2 || next == 0xE2
    }

    func opens(_ text: ArraySlice<UInt8>) -> Bool { opening(of: text) != nil }

    /// Returns whether the text is a phrase followed only by signs, digits and counters.
    func isAll(of text: ArraySlice<UInt8>) -> Bool {
        guard let end = opening(of: text) else { return false }
        var rest = text.dropFirst(end)
        while let byte = rest.first {
            if byte >= 0x80 {
                guard
                    let length = Openings.signs.first(where: { rest.starts(with: $0) })?.count
                        ?? Openings.lengthOfSign(rest)
                else { return false }
                rest = rest.dropFirst(length)
            } else if isWordCharacter(byte), byte < 0x30 || byte > 0x39 {
                return false
            } else {
                rest = rest.dropFirst()
            }
        }
        return true
    }

    /// East Asian counters, as in `コメント（3件）`.
    private static let signs = ["件", "个", "個", "条", "條", "篇", "개", "건"].map { Array($0.utf8) }

    /// Returns the length in bytes of a character beyond ASCII that is not a letter; nil for a letter.
    private static func lengthOfSign(_ text: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(text.prefix(3)) + [0, 0, 0]
        switch Letters.kind(bytes[0], bytes[1], bytes[2]) {
        case .letter, .ideograph, .spaceless: return nil
        case .terminator, .colon, .closer, .sign: return min(bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4, text.count)
        }
    }

    /// Returns whether a phrase occurs anywhere in the text at the start of a word.
    func occurs(in text: ArraySlice<UInt8>) -> Bool {
        var isStart = true
        for index in text.indices {
            if isStart, opens(text[index...]) { return true }
            isStart = !Openings.continuesWord(text[index])
        }
        return false
    }

    private static func continuesWord(_ byte: UInt8) -> Bool { isWordCharacter(byte) || byte >= 0x80 }
}
