/// A text in the form used for comparison: its letters and digits in lower case, and its words.
struct NormalizedText: Equatable {
    /// The words joined, without white space and punctuation.
    let text: String
    /// In scripts that are written without spaces, each character is a word.
    let words: [String]

    init(_ written: String) {
        var words: [String] = []
        var word: [UInt8] = []
        var isASCII = true
        func finish() {
            if !word.isEmpty {
                let text = String(decoding: word, as: UTF8.self)
                words.append(isASCII ? text : text.lowercased())
            }
            word.removeAll(keepingCapacity: true)
            isASCII = true
        }
        for scalar in written.unicodeScalars.prefix(1_000) {
            if scalar.isASCII {
                let byte = lowercased(UInt8(scalar.value))
                if isAlphanumeric(byte) {
                    word.append(byte)
                } else if byte != UInt8(ascii: "'") {
                    finish()
                }
            } else if WordCount.isWrittenWithoutSpaces(scalar) {
                finish()
                words.append(String(scalar))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.append(contentsOf: scalar.utf8)
                isASCII = false
            } else if scalar != "’", scalar.properties.generalCategory != .nonspacingMark {
                finish()
            }
        }
        finish()
        self.words = words
        text = words.joined()
    }

    /// The share of words that two texts have in common, 0 to 1 (Dice's coefficient).
    func likeness(_ other: NormalizedText) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        var counts: [String: Int] = [:]
        for word in words { counts[word, default: 0] += 1 }
        var shared = 0
        for word in other.words {
            guard let count = counts[word], count > 0 else { continue }
            counts[word] = count - 1
            shared += 1
        }
        return 2 * Double(shared) / Double(words.count + other.words.count)
    }
}
