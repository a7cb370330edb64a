import HTTP
import Postgres

/// Tags.
extension Linkding {
    private static let statement: SQL = """
        select json_build_object(
            'id', n.number, 'name', rest.linkding_tag(t.name),
            'date_added', coalesce(rest.feed_time(t.created_at), '1970-01-01T00:00:00Z'))
        from public.tags t join rest.integer_ids n on n.user_id = t.user_id and n.kind = 'tag' and n.row_id = t.id
        """

    func tags(_ parameters: Parameters) throws -> Response {
        let page = try Page(parameters)
        let results = try caller.read([
            "select count(*) from public.tags",
            Self.statement
                + " order by lower(t.name), t.id limit \(literal: page.limit) offset \(literal: page.offset)",
        ])
        return list(results, page, path: "/api/tags/", query: [])
    }

    func tag(_ number: Int) throws -> Response {
        try Self.json(
            try caller.read([Self.statement + " where t.id = rest.numbered_row('tag', \(number)::integer)"])[0])
    }

    /// Creates a tag, or answers with the one that has this name.
    func createTag(_ parameters: Parameters) throws -> Response {
        guard let name = try parameters.nonEmpty("name")?.trimmed, !name.isEmpty else {
            throw NeighbourError.missing("name")
        }
        let results = try caller.write([
            """
            insert into public.tags (name) select name from unnest(rest.linkding_tags(null, array[\(name)])) as name
                on conflict do nothing
            """,
            Self.statement + " where t.name = any (rest.linkding_tags(null, array[\(name)]))",
        ])
        return try Self.json(results[1], status: 201)
    }
}
