/// The character references of HTML (`&amp;`, `&#38;`, `&#x26;`), following section 13.2.5.72 and later sections of the
/// standard.
public struct CharacterReferences: Sendable {
    /// The references in `CharacterReferences.tsv`, compiled in.
    public static let standard = CharacterReferences(table: PackageResources.CharacterReferences_tsv)

    /// One reference in a text.
    public struct Match: Sendable {
        /// The characters it represents.
        public var characters: Characters
        /// Index after the reference.
        public var end: Int
        /// A name without its semicolon. In an attribute it may be part of a URL; see ``isPlain(in:)``.
        public var isOpenName: Bool
    }

    /// One or two characters in UTF-8, stored inline: no reference represents more than eight bytes.
    public struct Characters: Sendable {
        public private(set) var packed: UInt64 = 0
        public private(set) var count = 0

        mutating func append(_ byte: UInt8) {
            packed |= UInt64(byte) << UInt64(8 * count)
            count += 1
        }

        /// Calls `body` with each byte, in order.
        @inline(__always)
        public func forEach(_ body: (UInt8) -> Void) {
            for place in 0..<count { body(UInt8(truncatingIfNeeded: packed >> UInt64(8 * place))) }
        }
    }

    /// The names after the `&`, including the semicolon if they have one, concatenated in byte order: name n is
    /// `starts[n]..<starts[n + 1]`.
    private var names: [UInt8] = []
    private var starts: [Int32] = [0]
    /// The characters that each name represents.
    private var meanings: [Characters] = []
    /// For each byte, the first name that starts with it or a later byte; has one more entry than there are bytes.
    private var firsts: [Int32] = []

    /// - Parameter table: the file's bytes; its first lines describe the format. Lines that do not match it are
    ///   ignored.
    init(table: [UInt8]) {
        for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let columns = line.split(separator: UInt8(ascii: "\t"))
            guard columns.count == 2 else { continue }
            names += columns[0]
            starts.append(Int32(names.count))
            var meaning = Characters()
            for digits in columns[1].split(separator: UInt8(ascii: " ")) {
                Self.append(digits.reduce(0) { $0 << 4 | (Self.digit($1) ?? 0) }, to: &meaning)
            }
            meanings.append(meaning)
        }
        var name = 0
        for byte in 0...256 {
            while name < meanings.count, Int(names[Int(starts[name])]) < byte { name += 1 }
            firsts.append(Int32(name))
        }
    }

    /// All names with the characters they represent.
    public var named: [(name: String, characters: String)] {
        meanings.indices.map { index in
            var characters: [UInt8] = []
            meanings[index].forEach { characters.append($0) }
            let name = names[Int(starts[index])..<Int(starts[index + 1])]
            return (String(decoding: name, as: UTF8.self), String(decoding: characters, as: UTF8.self))
        }
    }

    /// Replaces each reference, once: `&amp;amp;` becomes `&amp;`. Text that is not a valid reference stays. Takes time
    /// proportional to the text.
    public func decoded(_ text: String) -> String {
        guard text.utf8.contains(Self.ampersand) else { return text }
        let text = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == Self.ampersand, let match = match(in: text.span, after: index + 1) {
                match.characters.forEach { output.append($0) }
                index = match.end
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    // MARK: - One reference

    private static let ampersand = UInt8(ascii: "&")

    /// Returns the reference whose `&` is before `start`; nil if there is none.
    public func match(in text: Span<UInt8>, after start: Int) -> Match? {
        guard start < text.count else { return nil }
        return text[start] == UInt8(ascii: "#") ? Self.numbered(text, after: start + 1) : named(text, from: start)
    }

    /// Returns the longest name at this position. Each byte narrows the range of candidate names, so the number of
    /// steps never exceeds the length of the longest name.
    private func named(_ text: Span<UInt8>, from start: Int) -> Match? {
        var longest: Match?
        var low = Int(firsts[Int(text[start])])
        var high = Int(firsts[Int(text[start]) + 1])
        var place = 0
        while low < high {
            if count(low) == place + 1 {
                let end = start + place + 1
                longest = Match(
                    characters: meanings[low], end: end, isOpenName: text[end - 1] != UInt8(ascii: ";"))
            }
            place += 1
            guard start + place < text.count else { break }
            let byte = text[start + place]
            low = firstName(from: low, to: high) { count($0) > place && names[Int(starts[$0]) + place] >= byte }
            high = firstName(from: low, to: high) { names[Int(starts[$0]) + place] > byte }
        }
        return longest
    }

    private func count(_ name: Int) -> Int { Int(starts[name + 1] - starts[name]) }

    /// Binary search: the first name in the range that satisfies the monotonic test; `end` if none does.
    @inline(__always)
    private func firstName(from start: Int, to end: Int, where isFarEnough: (Int) -> Bool) -> Int {
        var (low, high) = (start, end)
        while low < high {
            let middle = (low + high) / 2
            if isFarEnough(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func numbered(_ text: Span<UInt8>, after start: Int) -> Match? {
        let isHexadecimal = start < text.count && text[start] | 0x20 == UInt8(ascii: "x")
        let radix: UInt32 = isHexadecimal ? 16 : 10
        let first = isHexadecimal ? start + 1 : start
        var number: UInt32 = 0
        var end = first
        while end < text.count, let digit = digit(text[end]), digit < radix {
            // Clamps numbers beyond Unicode, which prevents an overflow.
            number = min(number * radix + digit, 0x11_0000)
            end += 1
        }
        guard end > first else { return nil }
        let hasSemicolon = end < text.count && text[end] == UInt8(ascii: ";")
        var characters = Characters()
        append(number, to: &characters)
        return Match(characters: characters, end: hasSemicolon ? end + 1 : end, isOpenName: false)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Replacements for the numbers of C1 controls: pages use them for windows-1252 bytes. From the table in section
    /// 13.2.5.80 of the standard.
    private static let windows1252: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x02C6,
        0x89: 0x2030,
        0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D,
        0x95: 0x2022,
        0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A, 0x9C: 0x0153, 0x9E: 0x017E,
        0x9F: 0x0178,
    ]

    /// Appends U+FFFD for zero, surrogates and numbers beyond Unicode; other controls and noncharacters stay.
    private static func append(_ number: UInt32, to characters: inout Characters) {
        let mapped = number >= 0x80 && number <= 0x9F ? windows1252[number] ?? number : number
        let scalar = mapped == 0 ? nil : Unicode.Scalar(mapped)
        for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { characters.append(byte) }
    }
}

extension CharacterReferences.Match {
    /// Whether the standard reads it as plain text within an attribute value: a name without a semicolon, followed by a
    /// character that continues a parameter name (`?a=1&copy=2`).
    public func isPlain(in text: Span<UInt8>) -> Bool {
        guard isOpenName, end < text.count else { return false }
        let next = text[end]
        let isLetter = next | 0x20 >= UInt8(ascii: "a") && next | 0x20 <= UInt8(ascii: "z")
        return next == UInt8(ascii: "=") || isLetter || (next >= UInt8(ascii: "0") && next <= UInt8(ascii: "9"))
    }
}
