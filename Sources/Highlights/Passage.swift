/// A passage in UTF-16 units, with what stood around it.
struct Passage {
    /// Surroundings and quote in one.
    private var units: [UInt16]
    private var quoteStart: Int
    private var quoteEnd: Int
    /// Where it was.
    var range: Range<Int>?

    /// Of surroundings that only the former text tells, as many as readers commonly keep.
    private static let surroundings = 32

    /// - Parameter former: the text it was marked in; it tells what stood around the quote where the highlight does not.
    init(_ highlight: Highlight, former: [UInt16]) {
        let quote = Array(highlight.quote.utf16)
        var before = Array((highlight.prefix ?? "").utf16)
        var after = Array((highlight.suffix ?? "").utf16)
        if let range = highlight.range, range.upperBound <= former.count, former[range].elementsEqual(quote) {
            if before.isEmpty { before = Array(former[..<range.lowerBound].suffix(Self.surroundings)) }
            if after.isEmpty { after = Array(former[range.upperBound...].prefix(Self.surroundings)) }
        }
        units = before + quote + after
        quoteStart = before.count
        quoteEnd = before.count + quote.count
        range = highlight.range
    }

    var quote: ArraySlice<UInt16> { units[quoteStart..<quoteEnd] }

    /// Where the search begins from.
    var expected: Int { range?.lowerBound ?? 0 }

    /// At most so many units of what stood before, and after.
    func before(_ count: Int) -> ArraySlice<UInt16> { units[..<quoteStart].suffix(count) }
    func after(_ count: Int) -> ArraySlice<UInt16> { units[quoteEnd...].prefix(count) }

    /// At the ends of a text there is less around a passage; less than this says nothing.
    private static let leastSurroundings = 4

    /// Whether there is a quote, and something of these surroundings is known.
    func has(before: Int, after: Int) -> Bool {
        guard quoteStart < quoteEnd else { return false }
        return switch (before, after) {
        case (0, 0): true
        case (.max, .max): quoteStart > 0 || quoteEnd < units.count
        default: self.before(before).count >= min(before, Self.leastSurroundings) && self.after(after).count >= min(after, Self.leastSurroundings)
        }
    }

    /// The quote with so much of its surroundings.
    func pattern(before: Int, after: Int) -> PassageSearch.Pattern {
        let start = self.before(before).startIndex
        return .init(units: units[start..<self.after(after).endIndex], expected: expected - (quoteStart - start))
    }

    /// Whether it stands where it was, amid what was around it.
    func isUnmoved(in text: [UInt16]) -> Bool {
        guard let range, quoteStart < quoteEnd, range.count == quoteEnd - quoteStart, range.lowerBound >= quoteStart,
            range.lowerBound - quoteStart <= text.count - units.count
        else { return false }
        return text[(range.lowerBound - quoteStart)...].starts(with: units)
    }

    /// The same as a folded text has it.
    func folded(for text: FoldedText) -> Passage {
        var passage = self
        let (before, quote, after) = (FoldedText.fold(units[..<quoteStart]), FoldedText.fold(quote), FoldedText.fold(units[quoteEnd...]))
        passage.units = before + quote + after
        passage.quoteStart = before.count
        passage.quoteEnd = before.count + quote.count
        let start = text.position(of: expected)
        passage.range = start..<start + quote.count
        return passage
    }
}
