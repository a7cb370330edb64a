/// A text without the features that commonly change when it is republished: white space and invisible characters are
/// removed, letters are lower case, and quotation marks and dashes are ASCII.
struct FoldedText {
    private(set) var units: [UInt16] = []
    /// The index of each unit in the original text.
    private var origins: [Int32] = []

    init(_ text: [UInt16]) {
        units.reserveCapacity(text.count)
        origins.reserveCapacity(text.count)
        var last: UInt16 = 0
        for (index, unit) in text.enumerated() {
            let folded = Self.table[Int(unit)]
            guard Self.isKept(folded, after: last) else { continue }
            units.append(folded)
            origins.append(Int32(truncatingIfNeeded: index))
            last = folded
        }
    }

    /// Returns the range in the original text.
    func original(_ range: Range<Int>) -> Range<Int> {
        Int(origins[range.lowerBound])..<Int(origins[range.upperBound - 1]) + 1
    }

    /// Returns the first unit that is not before a position in the original text.
    func position(of original: Int) -> Int {
        var (low, high) = (0, origins.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(origins[middle]) < original { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func fold(_ units: ArraySlice<UInt16>) -> [UInt16] {
        var last: UInt16 = 0
        return units.compactMap { unit in
            let folded = table[Int(unit)]
            guard isKept(folded, after: last) else { return nil }
            last = folded
            return folded
        }
    }

    private static let dot = UInt16(UInt8(ascii: "."))

    /// Sequences of periods are reduced to one, because an ellipsis is written as three periods or as one character.
    private static func isKept(_ folded: UInt16, after last: UInt16) -> Bool {
        folded != 0 && !(folded == dot && last == dot)
    }

    /// The folded form of each unit; 0 if the unit is removed.
    private static let table: [UInt16] = {
        var table = (0...UInt16.max).map { unit -> UInt16 in
            guard let scalar = Unicode.Scalar(unit) else { return unit }
            if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint { return 0 }
            let small = scalar.properties.lowercaseMapping.utf16
            return small.count == 1 ? small.first ?? unit : unit
        }
        for (signs, sign) in equivalents { for unit in signs.utf16 { table[Int(unit)] = sign.utf16.first ?? unit } }
        return table
    }()

    /// Characters that are used in place of one another.
    private static let equivalents = [
        ("\u{2018}\u{2019}\u{201A}\u{201B}\u{2032}\u{02BC}\u{0060}\u{00B4}\u{2039}\u{203A}", "'"),
        ("\u{201C}\u{201D}\u{201E}\u{201F}\u{2033}\u{00AB}\u{00BB}", "\""),
        ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}", "-"),
        ("\u{2026}", "."),
    ]
}
