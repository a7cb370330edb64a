/// A passage in UTF-16 units, with its context.
struct Passage {
    /// The context and the quote, joined.
    private var units: [UInt16]
    private var quoteStart: Int
    private var quoteEnd: Int
    /// The position in the former text.
    var range: Range<Int>?

    /// In units: the context taken from the former text, the length that reader apps commonly store.
    private static let contextLength = 32

    /// - Parameter former: the text in which the passage was marked. It provides the context that the highlight lacks.
    init(_ highlight: Highlight, former: [UInt16]) {
        let quote = Array(highlight.quote.utf16)
        var before = Array((highlight.prefix ?? "").utf16)
        var after = Array((highlight.suffix ?? "").utf16)
        if let range = highlight.range, range.upperBound <= former.count, former[range].elementsEqual(quote) {
            if before.isEmpty { before = Array(former[..<range.lowerBound].suffix(Self.contextLength)) }
            if after.isEmpty { after = Array(former[range.upperBound...].prefix(Self.contextLength)) }
        }
        units = before + quote + after
        quoteStart = before.count
        quoteEnd = before.count + quote.count
        range = highlight.range
    }

    var quote: ArraySlice<UInt16> { units[quoteStart..<quoteEnd] }

    /// The position near which the passage is searched.
    var expected: Int { range?.lowerBound ?? 0 }

    /// The context before and after the quote, at most `count` units.
    func before(_ count: Int) -> ArraySlice<UInt16> { units[..<quoteStart].suffix(count) }
    func after(_ count: Int) -> ArraySlice<UInt16> { units[quoteEnd...].prefix(count) }

    /// In units. Passages at the ends of a text have less context; a shorter one identifies nothing.
    private static let minContext = 4

    /// Whether there is a quote with enough of the given context.
    func hasContext(before: Int, after: Int) -> Bool {
        guard quoteStart < quoteEnd else { return false }
        return switch (before, after) {
        case (0, 0): true
        case (.max, .max): quoteStart > 0 || quoteEnd < units.count
        default:
            self.before(before).count >= min(before, Self.minContext)
                && self.after(after).count >= min(after, Self.minContext)
        }
    }

    /// The quote with the given amount of context.
    func pattern(before: Int, after: Int) -> ExactPassages.Pattern {
        let start = self.before(before).startIndex
        return .init(units: units[start..<self.after(after).endIndex], expected: expected - (quoteStart - start))
    }

    /// Whether the passage is at its former position, in the same context.
    func isUnmoved(in text: [UInt16]) -> Bool {
        guard let range, quoteStart < quoteEnd, range.count == quoteEnd - quoteStart, range.lowerBound >= quoteStart,
            range.lowerBound - quoteStart <= text.count - units.count
        else { return false }
        return text[(range.lowerBound - quoteStart)...].starts(with: units)
    }

    /// Returns the passage in the form of a folded text.
    func folded(for text: FoldedText) -> Passage {
        var passage = self
        let (before, quote, after) = (
            FoldedText.fold(units[..<quoteStart]), FoldedText.fold(quote), FoldedText.fold(units[quoteEnd...])
        )
        passage.units = before + quote + after
        passage.quoteStart = before.count
        passage.quoteEnd = before.count + quote.count
        let start = text.position(of: expected)
        passage.range = start..<start + quote.count
        return passage
    }
}
