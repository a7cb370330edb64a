/// Finds marked passages again in a text that has changed.
///
/// By the strongest evidence there is, in this order: the passage with all that is known of its surroundings, with less of them,
/// alone; the same without regard to white space, case and typographic signs; and a passage of nearly the same letters. Of
/// several places the one nearest to where it was. All passages are looked for at once, so that the time is in proportion to
/// the text and to the passages, not to their product.
public struct HighlightAnchors: Sendable {
    /// In UTF-16 units of the text; nil: the text does not have the passage.
    public typealias Place = Range<Int>?

    /// Units of the surroundings that are asked for, before and after the passage: first all, then ever less. As many as
    /// readers commonly keep (32) hardly ever stand twice in a text.
    private static let surroundings: [(before: Int, after: Int)] = [(.max, .max), (32, 0), (0, 32), (10, 0), (0, 10), (0, 0)]
    /// A passage of less than this, by ``weight(of:)``, says too little to be known by itself where a text has it twice.
    private static let leastWeight = 12

    /// The text as it is now.
    private let text: [UInt16]
    /// The text the passages were in before, where it is known: it has their surroundings.
    private let former: [UInt16]

    public init(text: String, former: String? = nil) {
        self.text = Array(text.utf16)
        self.former = former.map { Array($0.utf16) } ?? []
    }

    /// Where each of the passages is.
    public func places(of highlights: [Highlight]) -> [Place] {
        let passages = highlights.map { Passage($0, former: former) }
        var places: [Place] = passages.map { $0.isUnmoved(in: text) ? $0.range : nil }
        find(passages, in: PassageSearch(text), &places, as: { $0 }, original: { $0 })
        guard places.contains(nil) else { return places }

        let folded = FoldedText(text)
        let search = PassageSearch(folded.units)
        find(passages, in: search, &places, as: { $0.folded(for: folded) }, original: folded.original)
        let left = places.indices.filter { places[$0] == nil }
        var near = NearPassages(search)
        for (index, place) in zip(left, near.places(of: left.map { passages[$0].folded(for: folded) })) {
            places[index] = place.map(folded.original)
        }
        return places
    }

    /// Places those that have none, by ever less of their surroundings.
    ///
    /// - Parameters:
    ///   - form: the passage as the searched text has it.
    ///   - original: a range of the text, of one of the searched text.
    private func find(
        _ passages: [Passage], in search: PassageSearch, _ places: inout [Place], as form: (Passage) -> Passage,
        original: (Range<Int>) -> Range<Int>
    ) {
        var left = places.indices.filter { places[$0] == nil }.map { (index: $0, passage: form(passages[$0])) }
        for (before, after) in Self.surroundings where !left.isEmpty {
            let asked = left.filter { $0.passage.has(before: before, after: after) }
            let found = search.find(asked.map { $0.passage.pattern(before: before, after: after) })
            for ((index, passage), found) in zip(asked, found) {
                guard let found else { continue }
                let isTelling = before > 0 || after > 0 || found.isOnly || Self.weight(of: passage.quote) >= Self.leastWeight
                guard isTelling else { continue }
                let start = found.position + passage.before(before).count
                places[index] = original(start..<start + passage.quote.count)
            }
            left = left.filter { places[$0.index] == nil }
        }
    }

    /// How much a passage says: a sign of a script that writes a word with one or two counts for three letters.
    private static func weight(of units: ArraySlice<UInt16>) -> Int {
        units.prefix(leastWeight).reduce(0) { $0 + ($1 < 0x0250 ? 1 : 3) }
    }
}
