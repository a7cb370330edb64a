import JSON
import Postgres

/// An annotation: a highlight whose note is the text of the annotation.
enum WallabagAnnotation {
    /// The JSON object of a highlight `h` with its number `hn` and its ranges `hr`.
    ///
    /// Highlights that were not made as annotations have a range that begins and ends at the root of the article: its
    /// offsets then count through the texts of all elements, as those of a highlight do.
    static let object: SQL = """
        json_build_object(
            'user', auth.jwt() ->> 'email', 'annotator_schema_version', 'v1.0', 'id', hn.number,
            'created_at', rest.wallabag_time(h.created_at), 'updated_at', rest.wallabag_time(h.updated_at),
            'quote', h.quote, 'ranges', coalesce(hr.ranges::json, case when h.start_offset is not null
                then json_build_array(json_build_object(
                    'start', '', 'startOffset', h.start_offset, 'end', '', 'endOffset',
                    coalesce(h.end_offset, h.start_offset)))
                else '[]'::json end),
            'text', coalesce(h.note, ''))
        """
    static let source: SQL = """
        public.highlights h
            join rest.integer_ids hn on hn.user_id = h.user_id and hn.kind = 'highlight' and hn.row_id = h.id
            left join rest.annotation_ranges hr on hr.highlight_id = h.id
        """

    /// The offsets into the article's text that ranges give: those of a single range that counts from the root.
    static func offsets(_ ranges: [JSON]) -> (start: Int, end: Int)? {
        guard ranges.count == 1, let range = ranges.first, isRoot(range["start"]), isRoot(range["end"]),
            let start = offset(range["startOffset"]), let end = offset(range["endOffset"]), start <= end
        else { return nil }
        return (start, end)
    }

    private static func isRoot(_ path: JSON?) -> Bool { path?.string == "" || path?.string == "/" }

    /// An offset as a number, or as a text as some clients send it.
    private static func offset(_ value: JSON?) -> Int? {
        let number: Int? =
            switch value {
            case .number(let number)?: Int(exactly: number)
            case .string(let text)?: Int(text)
            default: nil
            }
        return number.flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil }
    }
}
