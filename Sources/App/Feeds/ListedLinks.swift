import Feeds
import JSON
import Postgres

/// A page of the links of a list, as the database returns it.
struct ListedLinks {
    /// What a statement asks for.
    struct Request {
        /// The text under which the transaction has the parsed query.
        var query: String
        var limit: Int
        var cursor: String?
        /// Whether links without an article are left out.
        var onlyWithArticle = false
        /// Whether entries have the address of a small picture.
        var hasPictures = true
        /// Bytes of articles that are read; 0 for lists without them. Further entries have their summaries only.
        var articleBytes = 0
    }

    struct Link {
        var entry: FeedEntry
        var siteName: String?
        var issued: String?
    }

    var links: [Link]
    /// The cursor of the next page, if there is one.
    var next: String?

    /// Titles are decoded where a client sent markup, and lose the star that the iOS app puts before them.
    static func statement(_ request: Request) -> SQL {
        let content: SQL =
            request.articleBytes == 0
            ? "null"
            : """
            case when sum(octet_length(a.content)) over (order by wanted.place) <= \(request.articleBytes)::bigint
                then a.content end
            """
        // A subquery and not a function: PostgreSQL would start a query of its own for each row.
        let picture: SQL =
            request.hasPictures
            ? """
            (select p.address from public.pictures p where p.user_id = l.user_id and p.hash = (
                select lp.hash from public.link_pictures lp
                where lp.link_id = l.id and lp.user_id = l.user_id and lp.state = 'kept'
                    and lp.kind in ('preview', 'article')
                order by lp.kind = 'preview' desc, lp.position limit 1))
            """
            : "null"
        return """
            select page.next, l.id, rest.web_address(coalesce(l.resolved_url, l.raw_url)),
                coalesce(nullif(regexp_replace(rest.display_text(l.title, l.title_is_text), '^\\u2b50\\s*', ''), ''), l.raw_url),
                coalesce(rest.feed_time(l.created_at), '1970-01-01T00:00:00Z'),
                coalesce(rest.feed_time(greatest(l.created_at, a.extracted_at)), '1970-01-01T00:00:00Z'),
                nullif(rest.display_text(l.description, l.description_is_text), ''),
                nullif(l.byline, ''), replace(nullif(l.lang, ''), '_', '-'),
                case when a.dir in ('rtl', 'auto') then a.dir end,
                (select json_agg(t.name order by lower(t.name)) from public.link_tags lt
                    join public.tags t on t.id = lt.tag_id where lt.link_id = l.id),
                \(picture),
                rest.web_address(l.enclosure_url), l.enclosure_type, l.enclosure_duration,
                nullif(l.site_name, ''), rest.feed_time(l.published_at), \(content)
            from rest.feed_page(\(request.query), \(request.limit)::integer, \(request.cursor),
                    \(request.onlyWithArticle)::boolean) as page
                cross join lateral unnest(page.ids) with ordinality as wanted (id, place)
                join public.links l on l.id = wanted.id and l.user_id = auth.uid()
                left join public.articles a on a.link_id = l.id and a.user_id = l.user_id
            order by wanted.place
            """
    }

    /// - Parameters:
    ///   - rows: the result of the statement.
    ///   - publicURL: of this service, for the addresses of pictures and of the reading view.
    init(_ rows: Rows, publicURL: String) {
        next = rows.count > 0 ? rows.text(0, 0) : nil
        links = (0..<rows.count).map { Self.link(rows, $0, publicURL) }
    }

    private static func link(_ rows: Rows, _ row: Int, _ publicURL: String) -> Link {
        func text(_ column: Int) -> String? { rows.text(row, column) }
        var entry = FeedEntry(
            id: text(1) ?? "", page: text(2), title: text(3) ?? "", published: text(4) ?? "", updated: text(5) ?? "")
        entry.readingView = publicURL + "/#/link/" + entry.id
        entry.summary = text(6)
        entry.author = text(7)
        entry.language = text(8)
        entry.direction = text(9)
        let tags = text(10).flatMap { JSON(parsing: $0.utf8)?.array } ?? []
        entry.tags = tags.compactMap(\.string)
        entry.picture = text(11).map { publicURL + "/pictures/" + $0 }
        entry.enclosure = text(12).map {
            .init(address: $0, type: text(13) ?? "application/octet-stream", duration: rows.int(row, 14))
        }
        entry.content = text(17)
        return Link(entry: entry, siteName: text(15), issued: text(16))
    }
}
