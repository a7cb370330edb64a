import Crypto
import JSON
import Postgres

/// An entry as PostgreSQL builds it: JSON, to which its annotations and the hashes of its addresses are added here.
enum WallabagEntry {
    /// The statement that reads entries.
    ///
    /// - Parameters:
    ///   - wanted: a statement with the columns `id` and `place`.
    ///   - hasContent: whether entries have the text of their article.
    ///   - maximumBytes: bytes of articles; with more, no entry has its text.
    ///
    /// The statement has no binds but those of `wanted`: PostgreSQL plans one without binds only once.
    static func statement(wanted: SQL, hasContent: Bool, maximumBytes: Int) -> SQL {
        let content: SQL =
            hasContent
            ? """
            case when a.content is null then ''
                when sum(octet_length(a.content)) over () <= \(literal: maximumBytes) then a.content end
            """
            : "null::text"
        let isTooLong: SQL =
            hasContent ? "sum(octet_length(a.content)) over () > \(literal: maximumBytes)" : "false"
        return """
            with wanted as materialized (\(wanted))
            select json_build_object(
                    'is_archived', (l.list = 'archive')::integer, 'is_starred', l.is_starred::integer,
                    'user_name', \(email), 'user_email', \(email), 'user_id', caller.number,
                    'tags', \(tags), 'is_public', shared.link_id is not null, 'id', n.number, 'uid', shared.token,
                    'title', coalesce(nullif(regexp_replace(
                        rest.display_text(l.title, l.title_is_text), '^\\u2b50\\s*', ''), ''), l.raw_url),
                    'url', coalesce(l.resolved_url, l.raw_url), 'origin_url', null, 'given_url', l.raw_url,
                    'archived_at', rest.wallabag_time(l.archived_at), 'content', \(content),
                    'created_at', coalesce(rest.wallabag_time(l.created_at), '1970-01-01T00:00:00+0000'),
                    'updated_at', coalesce(rest.wallabag_time(greatest(l.updated_at, a.extracted_at)),
                        '1970-01-01T00:00:00+0000'),
                    'published_at', rest.wallabag_time(l.published_at),
                    'published_by', (
                        select json_agg(btrim(name)) from string_to_table(l.byline, ',') as name where name ~ '\\S'),
                    'starred_at', case when l.is_starred then rest.wallabag_time(l.updated_at) end,
                    'mimetype', case when l.kind = 'pdf' then 'application/pdf'
                        when l.state = 'ready' then 'text/html' end,
                    'language', nullif(l.lang, ''), 'reading_time', coalesce(l.reading_time, 0),
                    'domain_name', coalesce(l.domain, ''), 'preview_picture', \(picture),
                    'http_status', case when l.state = 'ready' then '200' end, 'headers', null,
                    '_links', json_build_object('self', json_build_object('href', '/api/entries/' || n.number))
                )::text,
                coalesce(l.resolved_url, l.raw_url), l.raw_url,
                \(isTooLong), \(annotations)
            from wanted
                join public.links l on l.id = wanted.id
                join rest.integer_ids n on n.user_id = l.user_id and n.kind = 'link' and n.row_id = l.id
                left join public.articles a on a.link_id = l.id
                left join lateral (\(keptPicture)) as kept on true
                left join public.shares shared on shared.link_id = l.id
                join rest.integer_ids caller on caller.user_id = (select auth.uid()) and caller.kind = 'user'
            where (select rest.fits_response(sum(octet_length(h.quote) + coalesce(octet_length(h.note), 0)))
                from wanted as page join public.highlights h on h.link_id = page.id)
            order by wanted.place
            """
    }

    /// The tags of the link `l`.
    static let tags: SQL = """
        coalesce((
            select json_agg(json_build_object('id', tn.number, 'label', t.name, 'slug', rest.slug(t.name))
                order by lower(t.name))
            from public.link_tags lt join public.tags t on t.id = lt.tag_id
                join rest.integer_ids tn on tn.user_id = t.user_id and tn.kind = 'tag' and tn.row_id = t.id
            where lt.link_id = l.id), '[]')
        """

    /// The annotations of the link `l`; null for none.
    private static let annotations: SQL =
        "(select json_agg(" + WallabagAnnotation.row + " order by h.created_at, h.id) from "
        + WallabagAnnotation.source + " where h.link_id = l.id)"

    /// The address of the user, read once for all entries.
    private static let email: SQL = "(select auth.jwt() ->> 'email')"

    /// The address of a stored picture of the link `l`, or that of the page's own picture.
    private static let picture: SQL = """
        coalesce(current_setting('request.public_url') || '/pictures/' || kept.address, rest.web_address(l.image))
        """

    /// The stored picture of the link `l` to show in lists.
    private static let keptPicture: SQL = """
        select p.address from public.link_pictures lp
            join public.pictures p on p.user_id = lp.user_id and p.hash = lp.hash
        where lp.link_id = l.id and lp.state = 'kept' and lp.kind in ('preview', 'article')
        order by lp.kind = 'preview' desc, lp.position limit 1
        """

    /// Appends the entries in the rows of the statement as JSON, with commas between them.
    ///
    /// - Parameter ranges: the ranges of annotations.
    static func append(
        _ rows: Rows, to body: inout [UInt8], ranges: ([WallabagAnnotation]) throws -> AnnotationRanges
    ) throws {
        if rows.count > 0, rows.bool(0, 3) == true { throw NeighbourError.tooLong }
        let annotations = try (0..<rows.count).map { try WallabagAnnotation.list(rows.bytes($0, 4)) }
        let ranges = try ranges(annotations.flatMap { $0 })
        body.reserveCapacity((0..<rows.count).reduce(body.count) { $0 + (rows.bytes($1, 0)?.count ?? 0) + 200 })
        for row in 0..<rows.count {
            if row > 0 { body.append(UInt8(ascii: ",")) }
            // The object without its closing brace.
            if let entry = rows.bytes(row, 0) { body += UnsafeRawBufferPointer(rebasing: entry.dropLast()) }
            body += #","annotations":"#.utf8
            body += ranges.json(annotations[row]).utf8
            body += #","hashed_url":""#.utf8
            body += hash(rows.text(row, 1) ?? "").utf8
            body += #"","hashed_given_url":""#.utf8
            body += hash(rows.text(row, 2) ?? "").utf8
            body += #""}"#.utf8
        }
    }

    /// The hash by which clients ask for an address: SHA-1 in hexadecimal.
    static func hash(_ address: String) -> String { Digest.hex(Digest.sha1(address.utf8)) }
}
