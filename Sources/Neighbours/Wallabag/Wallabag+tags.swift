import HTTP
import Postgres

/// Tags.
extension Wallabag {
    /// All tags of the user with the number of their entries.
    func tags() throws -> Response {
        try Self.json(
            try caller.read([
                """
                select coalesce(json_agg(json_build_object(
                    'id', n.number, 'label', t.name, 'slug', rest.slug(t.name), 'nbEntries', (
                        select count(*) from public.link_tags lt where lt.tag_id = t.id)) order by lower(t.name)), '[]')
                from public.tags t
                    join rest.integer_ids n on n.user_id = t.user_id and n.kind = 'tag' and n.row_id = t.id
                """
            ])[0])
    }

    func tags(of number: Int) throws -> Response {
        try Self.json(
            try caller.read([
                "select \(WallabagEntry.tags) from public.links l where l.id = rest.numbered_link(\(number)::integer)"
            ])[0])
    }

    func addTags(_ number: Int, _ parameters: Parameters) throws -> Response {
        let tags = try parameters.list("tags") ?? []
        let link = try link(number)
        return try changed(link, by: ["select rest.add_tags(\(link)::uuid, \(array: tags)::text[])"])
    }

    func removeTag(_ tag: Int, from number: Int) throws -> Response {
        let link = try link(number)
        let tag = try row("tag", tag)
        return try changed(
            link, by: ["delete from public.link_tags where link_id = \(link)::uuid and tag_id = \(tag)::uuid"])
    }

    /// The labels of an entry that is changed. Wallabagger sends them as HTML.
    static func labels(_ parameters: Parameters) throws -> [String] {
        try (parameters.list("tags") ?? []).map { label in
            label.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#039;", with: "'").replacing("&amp;", with: "&")
        }
    }

    // MARK: - Deleting

    /// Removes a tag from every entry. The answer has what it was.
    func deleteTag(_ number: Int) throws -> Response {
        let tag = try row("tag", number)
        return try Self.json(
            try caller.write([Self.deletion("t.id = \(tag)::uuid"), Self.removal("t.id = \(tag)::uuid")])[0])
    }

    /// Removes tags by their labels: the parameter `tag` has one, `tags` several.
    func deleteLabels(_ parameters: Parameters) throws -> Response {
        let only = try parameters.nonEmpty("tag")
        let labels = try only.map { [$0.trimmed] } ?? parameters.list("tags") ?? []
        let isNamed: SQL = "lower(t.name) = any (array(select lower(unnest(\(array: labels)::text[]))))"
        let aggregate: SQL = only == nil ? "json_agg(tag)" : "(array_agg(tag))[1]"
        let results = try caller.write([
            "select \(aggregate) from (\(Self.deletion(isNamed))) as deleted (tag)", Self.removal(isNamed),
        ])
        return try Self.json(results[0])
    }

    private static func deletion(_ condition: SQL) -> SQL {
        """
        select json_build_object('id', n.number, 'label', t.name, 'slug', rest.slug(t.name))
        from public.tags t
            join rest.integer_ids n on n.user_id = t.user_id and n.kind = 'tag' and n.row_id = t.id
        where \(condition)
        """
    }

    private static func removal(_ condition: SQL) -> SQL { "delete from public.tags t where \(condition)" }
}
