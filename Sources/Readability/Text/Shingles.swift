/// Samples of a text's runs of letters. They compare texts regardless of markup, white space and punctuation between
/// words. A run is sampled if its fingerprint falls into certain classes, so that two texts sample the same runs.
///
/// Source: A. Broder, "On the resemblance and containment of documents", 1997.
struct Shingles {
    private var fingerprints: Set<UInt64> = []
    /// Bytes of the sampled letters and digits.
    private(set) var length = 0

    var count: Int { fingerprints.count }

    init() {}

    init(of text: String) {
        var text = text
        text.withUTF8 { pieces in add { $0(pieces) } }
    }

    /// Samples a text. `pieces` passes the pieces of the text in order.
    mutating func add(_ pieces: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) {
        var reader = Reader()
        pieces { reader.add($0) { fingerprints.insert($0) } }
        length += reader.read
    }

    func contains(_ fingerprint: UInt64) -> Bool { fingerprints.contains(fingerprint) }

    /// - Returns: whether the fingerprint is new.
    @discardableResult
    mutating func insert(_ fingerprint: UInt64) -> Bool { fingerprints.insert(fingerprint).inserted }

    /// Returns the share of this text that another contains: 0...1, and 0 if this one has no samples.
    func share(in other: Shingles) -> Double {
        guard !fingerprints.isEmpty else { return 0 }
        return Double(fingerprints.count { other.contains($0) }) / Double(fingerprints.count)
    }

    /// Reads a text in pieces of any size and reports the sampled fingerprints.
    struct Reader {
        /// Bytes of a run: about five words of English or ten Chinese characters. Must be a power of two.
        static let length = 32
        private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
        /// The factor by which a run's oldest byte was multiplied.
        private static let oldest = (0..<length).reduce(UInt64(1)) { power, _ in power &* base }

        private var run = [UInt8](repeating: 0, count: length)
        /// Bytes of letters and digits read.
        private(set) var read = 0
        private var fingerprint: UInt64 = 0
        /// Remaining bytes of a character that is not a letter.
        private var skipped = 0

        /// Passes `each` the fingerprint of every sampled run that ends here, which is one run in eight.
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
                        // Latin-1 punctuation and the no-break space.
                        skipped = 1
                        continue
                    } else if byte == 0xE2 {
                        // Quotation marks, dashes, arrows: U+2000 to U+2FFF.
                        skipped = 2
                        continue
                    } else if byte == 0xE3 && index + 1 < text.count && text[index + 1] == 0x80
                        || byte == 0xEF && index + 1 < text.count && text[index + 1] == 0xBC
                    {
                        // 、 。 「 and fullwidth ， ！ ？
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
