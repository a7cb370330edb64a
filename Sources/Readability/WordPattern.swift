import HTML

/// A list of words of which one may stand anywhere in a class, id or other short text, in any case.
struct WordPattern: Sendable {
    /// All words, one behind the other.
    private let letters: [UInt8]
    private let words: [Range<Int>]
    /// Bit n of number m is set when a word begins with letters whose lowest five bits, which are the same in both cases, are
    /// m and n: nearly all places of a text are passed with one look.
    private let pairs: [UInt32]

    /// - Parameter words: lower-case ASCII words of at least two letters, parted by white space.
    init(_ words: String) {
        var letters: [UInt8] = []
        var places: [Range<Int>] = []
        var pairs = [UInt32](repeating: 0, count: 32)
        for word in words.split(whereSeparator: \.isWhitespace).map({ Array($0.utf8) }) {
            places.append(letters.count..<letters.count + word.count)
            letters += word
            pairs[Int(word[0] & 31)] |= 1 << UInt32(word[1] & 31)
        }
        self.letters = letters
        self.words = places
        self.pairs = pairs
    }

    func matches(_ text: some Collection<UInt8>) -> Bool {
        text.withContiguousStorageIfAvailable { matches($0) } ?? Array(text).withUnsafeBufferPointer { matches($0) }
    }

    func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var letter = text.first else { return false }
        for index in 1..<text.count {
            let next = text[index]
            if pairs[Int(letter & 31)] >> UInt32(next & 31) & 1 == 1, begins(in: text, at: index - 1) { return true }
            letter = next
        }
        return false
    }

    private func begins(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let letter = lowercased(text[index])
        for word in words where letters[word.lowerBound] == letter && stands(word, in: text, at: index) { return true }
        return false
    }

    private func stands(_ word: Range<Int>, in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + word.count <= text.count else { return false }
        for offset in 1..<word.count where lowercased(text[index + offset]) != letters[word.lowerBound + offset] { return false }
        return true
    }
}

/// ASCII letters only: class names and attribute values are compared as browsers compare them.
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

/// `\w` of JavaScript.
func isWordCharacter(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F
}
