/// Finds many passages in one text at once.
///
/// Passages are sorted by the power of two that their length reaches; for each of those the text is gone through once, with a
/// rolling hash (Karp and Rabin, 1987) of that many units, and where it is that of a passage's beginning the rest is compared.
struct PassageSearch {
    struct Pattern {
        var units: ArraySlice<UInt16>
        /// Of several places the one nearest to this.
        var expected: Int
    }

    struct Found: Equatable {
        var position: Int
        /// It is nowhere else.
        var isOnly: Bool
    }

    /// Places of one passage that are looked at: an "e" stands everywhere.
    private static let mostPlaces = 20_000
    /// Units that are compared in one search, beyond the length of the text: texts and passages can be made so that each place
    /// looks like the beginning of all passages. Some tenths of a second.
    private static let mostCompared = 100_000_000
    /// Odd, so that no bit of a unit is lost; otherwise any number with bits everywhere.
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

    let text: [UInt16]

    init(_ text: [UInt16]) { self.text = text }

    /// - Returns: for each pattern its place; nil where the text does not have it.
    func find(_ patterns: [Pattern]) -> [Found?] {
        // Passages that are the same are looked for once.
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
            Self.nearest(to: pattern.expected, in: places[number]).map { Found(position: $0, isOnly: places[number].count == 1) }
        }
    }

    /// The places of each of the passages, in their order.
    private func places(of passages: [ArraySlice<UInt16>]) -> [[Int]] {
        var places: [[Int]] = passages.map { _ in [] }
        var classes: [Int: [Int]] = [:]
        for (number, passage) in passages.enumerated() where !passage.isEmpty && passage.count <= text.count {
            classes[Self.reach(of: passage.count), default: []].append(number)
        }
        var left = Self.mostCompared
        for (length, numbers) in classes.sorted(by: { $0.key < $1.key }) {
            var beginnings: [UInt64: [Int]] = [:]
            for number in numbers { beginnings[Self.hash(passages[number].prefix(length)), default: []].append(number) }
            scan(for: beginnings, of: length) { position, candidates in
                for number in candidates where places[number].count < Self.mostPlaces {
                    guard left > 0 else { return false }
                    let same = same(passages[number], at: position)
                    left -= same + 1
                    if same == passages[number].count { places[number].append(position) }
                }
                return true
            }
        }
        return places
    }

    /// Calls `visit` with each place where the next `length` units have one of these hashes, until it says that it is enough.
    private func scan(for beginnings: [UInt64: [Int]], of length: Int, visit: (Int, [Int]) -> Bool) {
        // Most places are told apart by one look into this.
        var filter = [Bool](repeating: false, count: 1 << 20)
        for hash in beginnings.keys { filter[Self.short(hash)] = true }
        let highest = (1..<length).reduce(UInt64(1)) { power, _ in power &* Self.base }
        text.withUnsafeBufferPointer { text in
            var hash = Self.hash(text[..<length])
            var position = 0
            while true {
                if filter[Self.short(hash)], let candidates = beginnings[hash], !visit(position, candidates) { return }
                guard position + length < text.count else { return }
                hash = (hash &- (UInt64(text[position]) &+ 1) &* highest) &* Self.base &+ UInt64(text[position + length]) &+ 1
                position += 1
            }
        }
    }

    /// How many units of a passage stand at a place.
    private func same(_ passage: ArraySlice<UInt16>, at position: Int) -> Int {
        guard position + passage.count <= text.count else { return 0 }
        return text.withUnsafeBufferPointer { text in
            passage.withUnsafeBufferPointer { passage in
                var same = 0
                while same < passage.count, text[position + same] == passage[same] { same += 1 }
                return same
            }
        }
    }

    private static func hash(_ units: some Sequence<UInt16>) -> UInt64 {
        units.reduce(0) { $0 &* base &+ UInt64($1) &+ 1 }
    }

    /// Twenty bits of a hash.
    private static func short(_ hash: UInt64) -> Int { Int((hash &* base) >> 44) }

    /// The largest power of two that is not above a length.
    private static func reach(of length: Int) -> Int { 1 << (Int.bitWidth - 1 - length.leadingZeroBitCount) }

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
