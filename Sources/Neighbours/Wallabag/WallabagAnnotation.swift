import JSON
import Postgres

/// An annotation: a highlight whose note is the text of the annotation.
enum WallabagAnnotation {
    /// The JSON object of a highlight `h` with its number `hn` and its ranges `hr`.
    ///
    /// Highlights that were not made as annotations have a text in place of their ranges: the id of the link and the
    /// offsets into the text of the article. `AnnotationRanges` replaces it.
    static let object: SQL = """
        json_build_object(
            'user', auth.jwt() ->> 'email', 'annotator_schema_version', 'v1.0', 'id', hn.number,
            'created_at', rest.wallabag_time(h.created_at), 'updated_at', rest.wallabag_time(h.updated_at),
            'quote', h.quote, 'ranges', coalesce(hr.ranges::json, case when h.end_offset > h.start_offset
                    and h.orphaned_at is null
                then to_json(h.link_id || ' ' || h.start_offset || ' ' || h.end_offset) else '[]'::json end),
            'text', coalesce(h.note, ''))
        """
    static let source: SQL = """
        public.highlights h
            join rest.integer_ids hn on hn.user_id = h.user_id and hn.kind = 'highlight' and hn.row_id = h.id
            left join rest.annotation_ranges hr on hr.highlight_id = h.id
        """

    /// The ends of a single range; nil for several.
    static func ends(_ ranges: [JSON]) -> (start: AnnotatedContent.End, end: AnnotatedContent.End)? {
        guard ranges.count == 1, let range = ranges.first, let start = range["start"]?.string,
            let end = range["end"]?.string, let first = offset(range["startOffset"]),
            let last = offset(range["endOffset"])
        else { return nil }
        return (AnnotatedContent.End(path: start, offset: first), AnnotatedContent.End(path: end, offset: last))
    }

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
