/// Samples of a text's runs of letters, by which texts are compared whatever stands between their words: markup, white space,
/// punctuation. A run counts where its fingerprint falls into one of some classes, so that two texts sample the same runs.
///
/// Source: A. Broder, "On the resemblance and containment of documents", 1997.
struct Shingles {
    private var fingerprints: Set<UInt64> = []
    /// Bytes of the letters and digits they were taken of.
    private(set) var length = 0

    var count: Int { fingerprints.count }

    init() {}

    init(of text: String) {
        var text = text
        text.withUTF8 { pieces in add { $0(pieces) } }
    }

    /// Takes the samples of a text: the caller hands on its pieces in order.
    mutating func add(_ pieces: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) {
        var reader = Reader()
        pieces { reader.add($0) { fingerprints.insert($0) } }
        length += reader.read
    }

    func contains(_ fingerprint: UInt64) -> Bool { fingerprints.contains(fingerprint) }

    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ fingerprint: UInt64) -> Bool { fingerprints.insert(fingerprint).inserted }

    /// How much of this text another has: 0...1, and 0 where this one has none.
    func share(in other: Shingles) -> Double {
        guard !fingerprints.isEmpty else { return 0 }
        return Double(fingerprints.count { other.contains($0) }) / Double(fingerprints.count)
    }

    /// Reads a text from as many pieces as it lies in, and tells the fingerprints that count.
    struct Reader {
        /// Bytes of a run: some five words of English, ten signs of Chinese. A power of two.
        static let length = 32
        private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
        /// What the oldest byte of a run has been multiplied with.
        private static let oldest = (0..<length).reduce(UInt64(1)) { power, _ in power &* base }

        private var run = [UInt8](repeating: 0, count: length)
        /// Bytes of letters and digits.
        private(set) var read = 0
        private var fingerprint: UInt64 = 0
        /// Bytes left of a character that is no letter.
        private var skipped = 0

        /// Gives `each` the fingerprint of every run that ends here and counts: an eighth of them does.
        mutating func add(_ text: UnsafeBufferPointer<UInt8>, _ each: (UInt64) -> Void) {
            let oldest = Self.oldest
            run.withUnsafeMutableBufferPointer { run in
                for (index, byte) in text.enumerated() {
                    var letter = byte
                    if byte < 0x80 {
                        guard isWordCharacter(byte), byte != UInt8(ascii: "_") else { continue }
                        letter = lowercased(byte)
                    } else if skipped > 0 {
                        skipped -= 1
                        continue
                    } else if byte == 0xC2 {
                        // The signs of Latin-1 and the spaces that do not break.
                        skipped = 1
                        continue
                    } else if byte == 0xE2 {
                        // Quotation marks, dashes, arrows: U+2000 to U+2FFF.
                        skipped = 2
                        continue
                    } else if byte == 0xE3 && index + 1 < text.count && text[index + 1] == 0x80 || byte == 0xEF && index + 1 < text.count && text[index + 1] == 0xBC {
                        // 、 。 「 and the wide ， ！ ？
                        skipped = 2
                        continue
                    }
                    let place = read & (Self.length - 1)
                    fingerprint = fingerprint &* Self.base &+ UInt64(letter) &- UInt64(run[place]) &* oldest
                    run[place] = letter
                    read += 1
                    if fingerprint >> 61 == 0, read >= Self.length { each(fingerprint) }
                }
            }
        }
    }
}
