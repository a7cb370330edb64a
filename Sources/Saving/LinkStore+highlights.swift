import Highlights
import Postgres
import Synchronization

/// Highlights follow their passages to where a new text has them.
extension LinkStore {
    /// One at a time: a text of megabytes takes some hundreds of them meanwhile.
    private static let turn = Mutex(())

    /// Statements for the transaction that stores the text. What somebody marks anew meanwhile is left alone; it brings a job of
    /// its own.
    func placeHighlights(_ kept: StoredState, _ outcome: SaveOutcome) throws(PostgresError) -> [SQL] {
        guard kept.hasHighlights, let text = outcome.stored?.reading.article?.textContent ?? kept.article?.text else { return [] }
        let marks = try highlights()
        let places = Self.turn.withLock { _ in
            HighlightAnchors(text: text, former: kept.article?.text).places(of: marks.map(\.highlight))
        }
        let moved = zip(marks, places).compactMap { mark, place in
            place.flatMap { mark.isLost || $0 != mark.highlight.range ? (mark, $0) : nil }
        }
        let lost = zip(marks, places).filter { mark, place in place == nil && !mark.isLost }.map(\.0)
        return (moved.isEmpty ? [] : [move(moved)]) + (lost.isEmpty ? [] : [lose(lost)])
    }

    private struct Mark {
        var highlight: Highlight
        var isLost: Bool
        /// As they are stored; -1 is none.
        var start: Int
        var end: Int
    }

    private func highlights() throws(PostgresError) -> [Mark] {
        let rows = try database.transaction(
            as: owner,
            [
                """
                select id, quote, prefix, suffix, coalesce(start_offset, -1), coalesce(end_offset, -1), orphaned_at is not null
                from public.highlights where link_id = \(job.linkID)::uuid
                """
            ])[0]
        return (0..<rows.count).compactMap { row in
            guard let id = rows.text(row, 0), let quote = rows.text(row, 1), let start = rows.int(row, 4), let end = rows.int(row, 5)
            else { return nil }
            let range = start >= 0 && end >= start ? start..<end : nil
            return Mark(
                highlight: Highlight(id: id, quote: quote, prefix: rows.text(row, 2), suffix: rows.text(row, 3), range: range),
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

    private func lose(_ lost: [Mark]) -> SQL {
        """
        update public.highlights mark set orphaned_at = now()
        from unnest(\(array: lost.map(\.highlight.id))::uuid[], \(array: lost.map { "\($0.start)" })::int[],
            \(array: lost.map { "\($0.end)" })::int[]) as place (id, was_start, was_end)
        where mark.link_id = \(job.linkID)::uuid and mark.id = place.id and mark.orphaned_at is null
            and coalesce(mark.start_offset, -1) = was_start and coalesce(mark.end_offset, -1) = was_end
        """
    }
}
