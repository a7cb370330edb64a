/// The character references of HTML (`&amp;`, `&#38;`, `&#x26;`), decoded as the standard has it for text. Attributes have
/// another rule for names without semicolon, which is not here.
public struct CharacterReferences: Sendable {
    /// With the names this build came with: `CharacterReferences.tsv`, compiled in.
    public static let standard = CharacterReferences(table: PackageResources.CharacterReferences_tsv)

    /// Behind the `&`, with the semicolon where it has one; in the order of their bytes.
    private var names: [[UInt8]] = []
    /// What each stands for, in UTF-8.
    private var characters: [[UInt8]] = []

    /// - Parameter table: the file's bytes; its first lines tell the format. Lines that do not follow it are left out.
    init(table: [UInt8]) {
        for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let columns = line.split(separator: UInt8(ascii: "\t"))
            guard columns.count == 2 else { continue }
            names.append(Array(columns[0]))
            characters.append(
                columns[1].split(separator: UInt8(ascii: " ")).flatMap { digits in
                    Self.character(of: UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0)
                })
        }
    }

    /// Every name with what it stands for.
    public var named: [(name: String, characters: String)] {
        zip(names, characters).map { (String(decoding: $0, as: UTF8.self), String(decoding: $1, as: UTF8.self)) }
    }

    /// The text with each reference replaced, once: `&amp;amp;` is `&amp;`. What is no reference stays. Takes time in
    /// proportion to the text.
    public func decoded(_ text: String) -> String {
        guard text.utf8.contains(Self.ampersand) else { return text }
        let text = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var rest = text[...]
        while let start = rest.firstIndex(of: Self.ampersand) {
            output += rest[..<start]
            rest = rest[(start + 1)...]
            if let reference = reference(rest) {
                output += reference.characters
                rest = rest[reference.end...]
            } else {
                output.append(Self.ampersand)
            }
        }
        output += rest
        return String(decoding: output, as: UTF8.self)
    }

    // MARK: - One reference

    private static let ampersand = UInt8(ascii: "&")

    private struct Reference {
        var characters: [UInt8]
        /// Where the text goes on.
        var end: Int
    }

    /// - Parameter text: what is behind an `&`.
    private func reference(_ text: ArraySlice<UInt8>) -> Reference? {
        text.first == UInt8(ascii: "#") ? Self.numbered(text.dropFirst()) : named(text)
    }

    /// The longest name the text begins with. A step a byte narrows down those that may still be meant, so that no text
    /// takes more steps than the longest name has bytes.
    private func named(_ text: ArraySlice<UInt8>) -> Reference? {
        var longest: Reference?
        var meant = names.startIndex..<names.endIndex
        for (place, byte) in text.enumerated() {
            meant = firstIndex(in: meant) { $0.count > place && $0[place] >= byte }..<meant.upperBound
            meant = meant.lowerBound..<firstIndex(in: meant) { $0[place] > byte }
            guard let shortest = meant.first else { break }
            if names[shortest].count == place + 1 {
                longest = Reference(characters: characters[shortest], end: text.startIndex + place + 1)
            }
        }
        return longest
    }

    /// The first of these names that is far enough in the order; their end when none is.
    private func firstIndex(in range: Range<Int>, where isFarEnough: ([UInt8]) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isFarEnough(names[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// - Parameter text: what is behind `&#`.
    private static func numbered(_ text: ArraySlice<UInt8>) -> Reference? {
        let isHexadecimal = text.first == UInt8(ascii: "x") || text.first == UInt8(ascii: "X")
        let radix: UInt32 = isHexadecimal ? 16 : 10
        let text = isHexadecimal ? text.dropFirst() : text
        var number: UInt32 = 0
        var end = text.startIndex
        while end < text.endIndex, let digit = digit(text[end]), digit < radix {
            // Any number beyond Unicode is as good as the next, and must not overflow.
            number = min(number * radix + digit, 0x11_0000)
            end += 1
        }
        guard end > text.startIndex else { return nil }
        if end < text.endIndex, text[end] == UInt8(ascii: ";") { end += 1 }
        return Reference(characters: character(of: number), end: end)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// What the numbers of C1 controls mean: pages write bytes of windows-1252 that way. The standard's table in 13.2.5.80.
    private static let windows1252: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x02C6, 0x89: 0x2030,
        0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D, 0x95: 0x2022,
        0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A, 0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
    ]

    /// In UTF-8. U+FFFD for zero, surrogates and what is beyond Unicode; other controls and non-characters are themselves.
    private static func character(of number: UInt32) -> [UInt8] {
        let scalar = number == 0 ? nil : Unicode.Scalar(windows1252[number] ?? number)
        return Array(String(scalar ?? "\u{FFFD}").utf8)
    }
}
