/// Finds marked passages in a text that has changed.
///
/// Matches are tried in this order, strongest first: the passage with all of its known context, with less context,
/// without context; the same ignoring white space, case and typographic characters; and a passage with small
/// differences. If there are several matches, the one nearest to the former position wins. All passages are searched at
/// once, so that the time grows with the sum of text and passages, not with their product.
public struct HighlightRelocation: Sendable {
    /// In UTF-16 units of the text; nil if the text does not contain the passage.
    public typealias Place = Range<Int>?

    /// The length of a text, and of all passages together, for which a search takes a few seconds at most. A book has
    /// a million characters.
    public static let maxUnits = 2_000_000

    /// The units of context required before and after the passage, decreasing. A context of 32 units, the length that
    /// reader apps commonly store, rarely occurs twice in a text.
    private static let contexts: [(before: Int, after: Int)] = [
        (.max, .max), (32, 0), (0, 32), (10, 0), (0, 10), (0, 0),
    ]
    /// A passage with less weight (see ``weight(of:)``) is too common to be identified without context if the text
    /// contains it twice.
    private static let minWeight = 12

    /// The current text.
    let text: [UInt16]
    /// The text in which the passages were marked, if known; it provides their context.
    private let former: [UInt16]

    public init(text: String, former: String? = nil) {
        self.text = Array(text.utf16)
        self.former = former.map { Array($0.utf16) } ?? []
    }

    /// The first of these highlights, whose passages have together at most ``maxUnits``.
    public static func searchable(_ highlights: [Highlight]) -> ArraySlice<Highlight> {
        var units = 0
        return highlights.prefix { highlight in
            units += highlight.quote.utf16.count
            return units <= maxUnits
        }
    }

    /// Returns the position of each passage.
    public func places(of highlights: [Highlight]) -> [Place] {
        let passages = highlights.map { Passage($0, former: former) }
        var places: [Place] = passages.map { $0.isUnmoved(in: text) ? $0.range : nil }
        find(passages, in: ExactPassages(text), &places, as: { $0 }, original: { $0 })
        guard places.contains(nil) else { return places }

        let folded = FoldedText(text)
        let search = ExactPassages(folded.units)
        find(passages, in: search, &places, as: { $0.folded(for: folded) }, original: folded.original)
        let remaining = places.indices.filter { places[$0] == nil }
        var near = NearPassages(search)
        for (index, place) in zip(remaining, near.places(of: remaining.map { passages[$0].folded(for: folded) })) {
            places[index] = place.map(folded.original)
        }
        return places
    }

    /// Finds the passages that have no position yet, with decreasing context.
    ///
    /// - Parameters:
    ///   - form: converts a passage to the form of the searched text.
    ///   - original: converts a range of the searched text to a range of the text.
    private func find(
        _ passages: [Passage], in search: ExactPassages, _ places: inout [Place], as form: (Passage) -> Passage,
        original: (Range<Int>) -> Range<Int>
    ) {
        var remaining = places.indices.filter { places[$0] == nil }.map { (index: $0, passage: form(passages[$0])) }
        for (before, after) in Self.contexts where !remaining.isEmpty {
            let asked = remaining.filter { $0.passage.hasContext(before: before, after: after) }
            let found = search.find(asked.map { $0.passage.pattern(before: before, after: after) })
            for ((index, passage), found) in zip(asked, found) {
                guard let found else { continue }
                let isSignificant =
                    before > 0 || after > 0 || found.isUnique || Self.weight(of: passage.quote) >= Self.minWeight
                guard isSignificant else { continue }
                let start = found.position + passage.before(before).count
                places[index] = original(start..<start + passage.quote.count)
            }
            remaining = remaining.filter { places[$0.index] == nil }
        }
    }

    /// The information in a passage: a unit of a script that writes a word with one or two characters counts as three
    /// letters.
    private static func weight(of units: ArraySlice<UInt16>) -> Int {
        units.prefix(minWeight).reduce(0) { $0 + ($1 < 0x0250 ? 1 : 3) }
    }
}
