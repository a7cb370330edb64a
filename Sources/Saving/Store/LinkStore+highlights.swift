import Highlights
import Postgres
import Threads

/// Moves highlights to the positions of their passages in a new text.
extension LinkStore {
    /// Limit large searches, each of which takes some ten megabytes and up to a few seconds. A user always has the same
    /// semaphore, so only one large text of a user is searched at a time; most other users have another one.
    static let turns = (0..<8).map { _ in CountingSemaphore(1) }
    /// UTF-16 units of text and passages from which a search is large.
    private static let largeSearch = 200_000

    /// Statements for the transaction that stores the text. A highlight that was changed after it was read is left
    /// alone; the change has added a job of its own. So are the highlights of a text that is too long to be searched,
    /// and those beyond the length of passages that is searched.
    func placeHighlights(_ state: StoredState, _ outcome: SaveOutcome) throws(SaveError) -> [SQL] {
        guard state.hasHighlights, let text = outcome.stored?.article?.textContent ?? state.article?.text else {
            return []
        }
        guard text.utf16.count <= HighlightRelocation.maxUnits else { return [] }
        let marks = try highlights()
        let places = inTurn(units: marks.reduce(text.utf16.count) { $0 + $1.highlight.quote.utf16.count }) {
            HighlightRelocation(text: text, former: state.article?.text).places(of: marks.map(\.highlight))
        }
        let moved = zip(marks, places).compactMap { mark, place in
            place.flatMap { mark.isLost || $0 != mark.highlight.range ? (mark, $0) : nil }
        }
        let lost = zip(marks, places).filter { mark, place in place == nil && !mark.isLost }.map(\.0)
        return (moved.isEmpty ? [] : [move(moved)]) + (lost.isEmpty ? [] : [orphan(lost)])
    }

    /// Searches at once, or when it is the turn of the link's owner if the search is large.
    private func inTurn<Result>(units: Int, _ search: () -> Result) -> Result {
        guard units >= Self.largeSearch else { return search() }
        let turn = Int(UInt(bitPattern: job.userID.hashValue) % UInt(Self.turns.count))
        return Self.turns[turn].withPermit(search)
    }

    /// A highlight and its stored position.
    private struct Mark {
        var highlight: Highlight
        var isLost: Bool
        /// The stored offsets; -1 where there is none.
        var start: Int
        var end: Int
    }

    private func highlights() throws(SaveError) -> [Mark] {
        let rows = try transaction(
            [
                """
                select id, quote, prefix, suffix, coalesce(start_offset, -1), coalesce(end_offset, -1),
                    orphaned_at is not null
                from (
                    select *, sum(length(concat(quote, prefix, suffix))) over (order by start_offset, id) as length
                    from public.highlights where link_id = \(job.linkID)::uuid
                ) as marks
                where length <= \(HighlightRelocation.maxUnits)::int
                """
            ])[0]
        return (0..<rows.count).compactMap { row in
            guard let id = rows.text(row, 0), let quote = rows.text(row, 1), let start = rows.int(row, 4),
                let end = rows.int(row, 5)
            else { return nil }
            let range = start >= 0 && end >= start ? start..<end : nil
            return Mark(
                highlight: Highlight(
                    id: id, quote: quote, prefix: rows.text(row, 2), suffix: rows.text(row, 3), range: range),
                isLost: rows.bool(row, 6) ?? false, start: start, end: end)
        }
    }

    private func move(_ moved: [(mark: Mark, place: Range<Int>)]) -> SQL {
        """
        update public.highlights mark
        set start_offset = place.start_offset, end_offset = place.end_offset, orphaned_at = null
        from unnest(\(array: moved.map(\.mark.highlight.id))::uuid[], \(array: moved.map { "\($0.mark.start)" })::int[],
            \(array: moved.map { "\($0.mark.end)" })::int[], \(array: moved.map { "\($0.place.lowerBound)" })::int[],
            \(array: moved.map { "\($0.place.upperBound)" })::int[]
        ) as place (id, was_start, was_end, start_offset, end_offset)
        where mark.link_id = \(job.linkID)::uuid and mark.id = place.id
            and coalesce(mark.start_offset, -1) = was_start and coalesce(mark.end_offset, -1) = was_end
        """
    }

    private func orphan(_ lost: [Mark]) -> SQL {
        """
        update public.highlights mark set orphaned_at = now()
        from unnest(\(array: lost.map(\.highlight.id))::uuid[], \(array: lost.map { "\($0.start)" })::int[],
            \(array: lost.map { "\($0.end)" })::int[]) as place (id, was_start, was_end)
        where mark.link_id = \(job.linkID)::uuid and mark.id = place.id and mark.orphaned_at is null
            and coalesce(mark.start_offset, -1) = was_start and coalesce(mark.end_offset, -1) = was_end
        """
    }
}
