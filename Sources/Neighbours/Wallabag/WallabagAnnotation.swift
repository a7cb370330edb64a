import JSON
import Postgres

/// An annotation: a highlight whose note is the text of the annotation.
struct WallabagAnnotation {
    /// A passage of the text of an article.
    struct Passage {
        var link: String
        var range: Range<Int>
    }

    /// A JSON object without ranges.
    private let object: String
    /// The JSON of the ranges that a client has given.
    let ranges: String?
    /// The highlighted passage, from which ranges are computed where no client has given any.
    let passage: Passage?

    /// The JSON array of a highlight `h` with its number `hn` and its ranges `hr`, which ``init(_:)`` reads.
    static let row: SQL = """
        json_build_array(
            json_build_object(
                'user', (select auth.jwt() ->> 'email'), 'annotator_schema_version', 'v1.0', 'id', hn.number,
                'created_at', rest.wallabag_time(h.created_at), 'updated_at', rest.wallabag_time(h.updated_at),
                'quote', h.quote, 'text', coalesce(h.note, ''))::text,
            hr.ranges::text,
            case when hr.ranges is null and h.orphaned_at is null then h.link_id end, h.start_offset, h.end_offset)
        """
    static let source: SQL = """
        public.highlights h
            join rest.integer_ids hn on hn.user_id = h.user_id and hn.kind = 'highlight' and hn.row_id = h.id
            left join rest.annotation_ranges hr on hr.highlight_id = h.id
        """

    /// - Returns: nil for JSON that is not a ``row``.
    init?(_ row: JSON) {
        guard let fields = row.array, fields.count == 5, let object = fields[0].string else { return nil }
        self.object = object
        ranges = fields[1].string
        if let link = fields[2].string, let start = Self.offset(fields[3]), let end = Self.offset(fields[4]),
            start < end
        {
            passage = Passage(link: link, range: start..<end)
        } else {
            passage = nil
        }
    }

    /// The annotations in a JSON array of rows; none for nil.
    static func list(_ rows: UnsafeRawBufferPointer?) throws(NotRows) -> [WallabagAnnotation] {
        guard let rows else { return [] }
        guard let list = JSON(parsing: rows)?.array else { throw NotRows() }
        let annotations = list.compactMap(WallabagAnnotation.init)
        guard annotations.count == list.count else { throw NotRows() }
        return annotations
    }

    /// The statement did not give what ``row`` says.
    struct NotRows: Error {}

    /// The JSON object with ranges, which are JSON.
    func json(ranges: String) -> String { object.dropLast() + ",\"ranges\":" + ranges + "}" }

    /// The JSON of a single range.
    static func ranges(from start: AnnotatedContent.End, to end: AnnotatedContent.End) -> String {
        let range = JSONText.object([
            ("start", JSONText.string(start.path)), ("startOffset", String(start.offset)),
            ("end", JSONText.string(end.path)), ("endOffset", String(end.offset)),
        ])
        return "[" + range + "]"
    }

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
