/// Finds passages with small changes, such as a corrected or a removed word.
///
/// The search looks for a few pieces of a passage. From the position of a piece, it compares the rest in both
/// directions. A passage matches if at least four of five letters are the same.
struct NearPassages {
    /// The units in a piece, and the pieces of a passage. A passage shorter than two pieces is too ambiguous.
    private static let piece = 12
    private static let maxPieces = 8
    /// One change is allowed per this many units.
    private static let tolerance = 5
    /// The maximum number of changes in one direction, for passages of any length.
    private static let maxChanges = 64
    /// The comparison steps for all passages of a text together; they take one or two seconds.
    private static let maxSteps = 400_000_000

    private let search: ExactPassages
    private var remainingSteps = Self.maxSteps

    init(_ search: ExactPassages) { self.search = search }

    /// - Parameter passages: in the form of the searched text. Their context is ignored.
    mutating func places(of passages: [Passage]) -> [Range<Int>?] {
        var patterns: [ExactPassages.Pattern] = []
        var pieces: [(passage: Int, offset: Int)] = []
        for (index, passage) in passages.enumerated() {
            for offset in Self.offsets(in: passage.quote.count) {
                let start = passage.quote.startIndex + offset
                patterns.append(
                    .init(units: passage.quote[start..<start + Self.piece], expected: passage.expected + offset))
                pieces.append((index, offset))
            }
        }
        var places: [Range<Int>?] = passages.map { _ in nil }
        for (piece, found) in zip(pieces, search.find(patterns)) where places[piece.passage] == nil {
            guard let found else { continue }
            places[piece.passage] = place(of: passages[piece.passage].quote, with: piece.offset, at: found.position)
        }
        return places
    }

    /// Returns the offsets of a passage's pieces: at both ends, and evenly between.
    private static func offsets(in length: Int) -> [Int] {
        guard length >= 2 * piece else { return [] }
        let count = min(maxPieces, length / piece)
        return (0..<count).map { $0 * (length - piece) / (count - 1) }
    }

    /// Returns the range of a quote that contains a piece at the given position, if the rest matches as well.
    private mutating func place(of quote: ArraySlice<UInt16>, with offset: Int, at position: Int) -> Range<Int>? {
        let text = search.text
        let start = quote.startIndex + offset
        let allowed = quote.count / Self.tolerance
        guard let behind = extent(of: quote[(start + Self.piece)...], in: text[(position + Self.piece)...], allowed),
            let before = extent(
                of: quote[..<start].reversed(), in: text[..<position].reversed(), allowed - behind.changes)
        else { return nil }
        return position - before.length..<position + Self.piece + behind.length
    }

    /// Returns the number of changes, and the length of the beginning of the text that matches the passage; nil if
    /// there are more changes than allowed. This is the Levenshtein distance within a band around the diagonal
    /// (Ukkonen, 1985).
    private mutating func extent<Passage: RandomAccessCollection<UInt16>, Text: RandomAccessCollection<UInt16>>(
        of passage: Passage, in text: Text, _ allowed: Int
    ) -> (changes: Int, length: Int)? {
        let band = min(allowed, Self.maxChanges)
        guard band >= 0 else { return nil }
        let passage = Array(passage)
        let text = Array(text.prefix(passage.count + band))
        let width = 2 * band + 1
        remainingSteps -= (passage.count + 1) * width
        guard remainingSteps > 0 else { return nil }
        let impossible = band + 1
        // Entry `place` of row `i` is column `i - band + place`.
        var row = (0..<width).map { $0 < band ? impossible : $0 - band }
        for place in 0..<width where place - band > text.count { row[place] = impossible }
        for i in 0..<passage.count {
            var next = [Int](repeating: impossible, count: width)
            var least = impossible
            for place in 0..<width {
                let column = i + 1 - band + place
                guard column >= 0, column <= text.count else { continue }
                // Deletion, substitution or match, insertion.
                var changes = place + 1 < width ? row[place + 1] + 1 : impossible
                if column > 0 { changes = min(changes, row[place] + (text[column - 1] == passage[i] ? 0 : 1)) }
                if place > 0, column > 0 { changes = min(changes, next[place - 1] + 1) }
                next[place] = min(changes, impossible)
                least = min(least, next[place])
            }
            guard least <= band else { return nil }
            row = next
        }
        // Among equally good ends, choose the one closest to the length of the passage.
        let ends = row.indices.filter { row[$0] <= band && passage.count - band + $0 >= 0 }
        guard let end = ends.min(by: { (row[$0], abs($0 - band)) < (row[$1], abs($1 - band)) }) else { return nil }
        return (row[end], passage.count - band + end)
    }
}
