import HTML

/// A list of words of which one may stand anywhere in a class, id or other short text, in any case.
struct WordPattern: Sendable {
    private let words: [[UInt8]]
    /// Bit n is set when a word begins with the byte n: most places of a text are passed with one look.
    private let firstLetters: (UInt64, UInt64)

    /// - Parameter words: lower-case ASCII words parted by white space.
    init(_ words: String) {
        self.words = words.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for word in self.words {
            let first = word[0]
            if first < 64 { low |= 1 << UInt64(first) } else { high |= 1 << UInt64(first - 64) }
        }
        firstLetters = (low, high)
    }

    func matches(_ text: some Collection<UInt8>) -> Bool {
        text.withContiguousStorageIfAvailable { matches($0) } ?? Array(text).withUnsafeBufferPointer { matches($0) }
    }

    func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in text.indices {
            let letter = lowercased(text[index])
            guard mayBegin(letter) else { continue }
            for word in words where word[0] == letter && stands(word, in: text, at: index) { return true }
        }
        return false
    }

    private func mayBegin(_ letter: UInt8) -> Bool {
        letter < 64
            ? firstLetters.0 >> UInt64(letter) & 1 == 1 : letter < 128 && firstLetters.1 >> UInt64(letter - 64) & 1 == 1
    }

    private func stands(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + word.count <= text.count else { return false }
        for offset in 1..<max(word.count, 1) where lowercased(text[index + offset]) != word[offset] { return false }
        return true
    }
}

/// ASCII letters only: class names and attribute values are compared as browsers compare them.
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

/// `\w` of JavaScript.
func isWordCharacter(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F
}
