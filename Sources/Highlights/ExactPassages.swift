/// Finds many passages in one text at once.
///
/// Passages are grouped by the largest power of two that does not exceed their length. For each group, one pass over
/// the text computes a rolling hash (Karp and Rabin, 1987) over that many units. Where the hash equals that of a
/// passage's beginning, the rest is compared.
struct ExactPassages {
    struct Pattern {
        var units: ArraySlice<UInt16>
        /// If there are several positions, the nearest one to this is returned.
        var expected: Int
    }

    struct Found: Equatable {
        var position: Int
        /// Whether the passage occurs nowhere else.
        var isUnique: Bool
    }

    /// The number of positions recorded for one passage, since an "e" occurs everywhere, and for all passages together.
    private static let maxPlaces = 20_000
    private static let maxPlacesOfAll = 2_000_000
    /// The units compared in one search beyond the length of the text. Texts and passages can be made so that every
    /// position looks like the beginning of every passage. This takes some tenths of a second.
    private static let maxComparisons = 100_000_000
    /// Odd, so that multiplication loses no bits; otherwise arbitrary, with bits set throughout.
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

    let text: [UInt16]

    init(_ text: [UInt16]) { self.text = text }

    /// - Returns: the position of each pattern; nil if the text does not contain it.
    func find(_ patterns: [Pattern]) -> [Found?] {
        // Equal passages are searched once.
        var numbers: [ArraySlice<UInt16>: Int] = [:]
        var distinct: [ArraySlice<UInt16>] = []
        let numberOf = patterns.map { pattern in
            if let number = numbers[pattern.units] { return number }
            numbers[pattern.units] = distinct.count
            distinct.append(pattern.units)
            return distinct.count - 1
        }
        let places = places(of: distinct)
        return zip(patterns, numberOf).map { pattern, number in
            Self.nearest(to: pattern.expected, in: places[number]).map {
                Found(position: $0, isUnique: places[number].count == 1)
            }
        }
    }

    /// Returns the positions of each passage, ascending.
    private func places(of passages: [ArraySlice<UInt16>]) -> [[Int]] {
        var places: [[Int]] = passages.map { _ in [] }
        var classes: [Int: [Int]] = [:]
        for (number, passage) in passages.enumerated() where !passage.isEmpty && passage.count <= text.count {
            classes[Self.powerOfTwo(of: passage.count), default: []].append(number)
        }
        var remaining = Self.maxComparisons
        let maxPlaces = min(Self.maxPlaces, Self.maxPlacesOfAll / max(1, passages.count))
        for (length, numbers) in classes.sorted(by: { $0.key < $1.key }) {
            var beginnings: [UInt64: [Int]] = [:]
            for number in numbers { beginnings[Self.hash(passages[number].prefix(length)), default: []].append(number) }
            scan(for: beginnings, of: length) { position, candidates in
                for number in candidates where places[number].count < maxPlaces {
                    guard remaining > 0 else { return false }
                    let matchLength = matchLength(passages[number], at: position)
                    remaining -= matchLength + 1
                    if matchLength == passages[number].count { places[number].append(position) }
                }
                return true
            }
        }
        return places
    }

    /// Calls `visit` for each position at which the next `length` units have one of these hashes, until `visit` returns
    /// false.
    private func scan(for beginnings: [UInt64: [Int]], of length: Int, visit: (Int, [Int]) -> Bool) {
        // One lookup in the filter dismisses most positions.
        var filter = [Bool](repeating: false, count: 1 << 20)
        for hash in beginnings.keys { filter[Self.filterIndex(hash)] = true }
        let highest = (1..<length).reduce(UInt64(1)) { power, _ in power &* Self.base }
        text.withUnsafeBufferPointer { text in
            var hash = Self.hash(text[..<length])
            var position = 0
            while true {
                if filter[Self.filterIndex(hash)], let candidates = beginnings[hash], !visit(position, candidates) {
                    return
                }
                guard position + length < text.count else { return }
                hash =
                    (hash &- (UInt64(text[position]) &+ 1) &* highest) &* Self.base &+ UInt64(text[position + length])
                    &+ 1
                position += 1
            }
        }
    }

    /// Returns how many units of a passage match at a position.
    private func matchLength(_ passage: ArraySlice<UInt16>, at position: Int) -> Int {
        guard position + passage.count <= text.count else { return 0 }
        return text.withUnsafeBufferPointer { text in
            passage.withUnsafeBufferPointer { passage in
                var matchLength = 0
                while matchLength < passage.count, text[position + matchLength] == passage[matchLength] {
                    matchLength += 1
                }
                return matchLength
            }
        }
    }

    private static func hash(_ units: some Sequence<UInt16>) -> UInt64 {
        units.reduce(0) { $0 &* base &+ UInt64($1) &+ 1 }
    }

    /// Twenty bits of a hash.
    private static func filterIndex(_ hash: UInt64) -> Int { Int((hash &* base) >> 44) }

    /// The largest power of two that does not exceed a length.
    private static func powerOfTwo(of length: Int) -> Int { 1 << (Int.bitWidth - 1 - length.leadingZeroBitCount) }

    private static func nearest(to expected: Int, in places: [Int]) -> Int? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < expected { low = middle + 1 } else { high = middle }
        }
        let neighbours = places[max(0, low - 1)..<min(places.count, low + 1)]
        return neighbours.min { abs($0 - expected) < abs($1 - expected) }
    }
}
