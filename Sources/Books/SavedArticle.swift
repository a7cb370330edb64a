import EPUB
import Highlights
import Postgres

/// An article with what a book shows of its link, as it is stored.
struct SavedArticle {
    var link: String
    var article: BookArticle
    /// The stored pictures of the article: the path of each file by the URL in the content.
    var pictures: [String: String] = [:]
    /// The path of the picture for the cover: the first one that is large enough.
    var coverAddress: String?
    /// Why the other pictures are not stored, by the URL.
    var reasons: [String: String] = [:]

    /// Whether the user has marked or written something.
    var hasHighlights: Bool { !article.highlights.isEmpty || article.note != nil }

    /// Reads a link; nil where it has no article.
    ///
    /// - Parameter run: runs statements as one transaction that sees the rows of the link's owner.
    init?(_ link: String, _ run: ([SQL]) throws -> [Rows]) throws {
        let rows = try run([
            """
            select coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''),
                    rest.display_text(a.title, a.metadata_is_text), ''),
                a.url, a.content, rest.display_text(a.byline, a.metadata_is_text),
                rest.display_text(a.site_name, a.metadata_is_text), a.lang, a.dir,
                rest.display_text(a.excerpt, a.metadata_is_text),
                to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            from public.links l join public.articles a on a.link_id = l.id
            where l.id = \(link)::uuid
            """,
            """
            select t.name from public.link_tags lt join public.tags t on t.id = lt.tag_id
            where lt.link_id = \(link)::uuid order by t.name
            """,
            """
            select lp.source, p.address, lp.reason, p.width >= 300 and p.height >= 150 from public.link_pictures lp
                left join public.pictures p on p.user_id = lp.user_id and p.hash = lp.hash
            where lp.link_id = \(link)::uuid and lp.kind = 'article' order by lp.position
            """,
            """
            select quote, note, prefix, suffix, start_offset, end_offset from public.highlights
            where link_id = \(link)::uuid
            order by start_offset nulls last, created_at, id limit \(literal: Self.maxHighlights)
            """,
            "select body from public.notes where link_id = \(link)::uuid",
        ])
        guard rows[0].count == 1, let title = rows[0].text(0, 0), let url = rows[0].text(0, 1),
            let content = rows[0].text(0, 2)
        else { return nil }
        self.link = link
        article = BookArticle(title: title, url: url, content: content)
        article.byline = rows[0].text(0, 3)
        article.siteName = rows[0].text(0, 4)
        article.language = rows[0].text(0, 5)
        article.direction = rows[0].text(0, 6)
        article.description = rows[0].text(0, 7)
        article.published = rows[0].text(0, 8).flatMap { $0.utf8.count == 20 ? $0 : nil }
        article.tags = (0..<rows[1].count).compactMap { rows[1].text($0, 0) }
        for row in 0..<rows[2].count {
            guard let source = rows[2].text(row, 0) else { continue }
            if let address = rows[2].text(row, 1) {
                pictures[source] = address
                if coverAddress == nil, rows[2].bool(row, 3) == true { coverAddress = address }
            } else {
                reasons[source] = rows[2].text(row, 2) ?? "missing"
            }
        }
        article.highlights = Self.highlights(rows[3], in: content)
        article.note = rows[4].count > 0 ? rows[4].text(0, 0).flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// Highlights of the largest list.
    private static let maxHighlights = 5_000

    private static func highlights(_ rows: borrowing Rows, in content: String) -> [BookHighlight] {
        guard rows.count > 0 else { return [] }
        var (found, notes) = ([Highlight](), [String?]())
        for row in 0..<rows.count {
            guard let quote = rows.text(row, 0) else { continue }
            let (start, end) = (rows.int(row, 4), rows.int(row, 5))
            let range = start.flatMap { start in end.flatMap { $0 >= start ? start..<$0 : nil } }
            found.append(
                Highlight(
                    id: "\(row)", quote: quote, prefix: rows.text(row, 2), suffix: rows.text(row, 3), range: range))
            notes.append(rows.text(row, 1).flatMap { $0.isEmpty ? nil : $0 })
        }
        let text = BookArticle.text(of: content)
        // Longer texts and further passages are not searched, as when the article was stored.
        let searched = text.utf16.count <= HighlightRelocation.maxUnits ? HighlightRelocation.searchable(found) : []
        var places = HighlightRelocation(text: text).places(of: Array(searched))
        places += Array(repeating: nil, count: found.count - places.count)
        return zip(zip(found, notes), places).map { pair, place in
            BookHighlight(quote: pair.0.quote, note: pair.1, place: place)
        }
    }
}
