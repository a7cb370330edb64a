import HTTP
import JSON
import Postgres
import Search

/// Bookmarks: the links of the user.
extension Linkding {
    /// The JSON object of a link `l` with its number `n`.
    private func object() -> SQL {
        """
        json_build_object(
            'id', n.number, 'url', l.raw_url,
            'title', coalesce(regexp_replace(rest.display_text(l.title, l.title_is_text), '^\\u2b50\\s*', ''), ''),
            'description', coalesce(rest.display_text(l.description, l.description_is_text), ''),
            'notes', coalesce((select body from public.notes where link_id = l.id), ''),
            'web_archive_snapshot_url', '', 'favicon_url', rest.web_address(l.icon),
            'preview_image_url', rest.web_address(l.image), 'is_archived', l.list = 'archive',
            'unread', l.status = 'unread', 'shared', false,
            'tag_names', coalesce((
                select json_agg(rest.linkding_tag(t.name) order by lower(t.name)) from public.link_tags lt
                    join public.tags t on t.id = lt.tag_id where lt.link_id = l.id), '[]'),
            'date_added', coalesce(rest.feed_time(l.created_at), '1970-01-01T00:00:00Z'),
            'date_modified', coalesce(rest.feed_time(l.updated_at), '1970-01-01T00:00:00Z'),
            'website_title', null, 'website_description', null)
        """
    }

    private static let source: SQL = """
        public.links l join rest.integer_ids n on n.user_id = l.user_id and n.kind = 'link' and n.row_id = l.id
        """

    private func statement(of link: SQL) -> SQL {
        "select \(object())::text from \(Self.source) where l.id = \(link)"
    }

    func bookmark(_ number: Int) throws -> Response {
        try Self.json(try caller.read([statement(of: "rest.numbered_link(\(number)::integer)")])[0])
    }

    func bookmarks(_ parameters: Parameters, isArchived: Bool) throws -> Response {
        let page = try Page(parameters)
        var query: [(String, String)] = []
        var settings: [Identity.Setting] = []
        var condition: SQL = "l.list = \(isArchived ? "archive" : "read")"
        if let text = try parameters.nonEmpty("q") {
            query.append(("q", text))
            let search = SearchQuery(try LinkdingQuery(text).condition)
            let trees = JSON.object([.init(text, search.json)])
            settings = [.init("request.queries", String(decoding: trees.bytes, as: UTF8.self))]
            condition += " and l.id = any (rest.found_links(\(text), rest.max_changed_links()))"
        }
        if let unread = try parameters.nonEmpty("unread"), unread != "off" {
            guard ["yes", "no"].contains(unread) else {
                throw NeighbourError.badParameter("unread", "\"yes\", \"no\" or \"off\"")
            }
            query.append(("unread", unread))
            condition += " and l.status = \(unread == "yes" ? "unread" : "read")"
        }
        var times: [String] = []
        for (name, column) in [("added_since", "l.created_at"), ("modified_since", "l.updated_at")] as [(String, SQL)] {
            guard let time = try parameters.nonEmpty(name) else { continue }
            query.append((name, time))
            times.append(name)
            condition += " and \(column) >= \(time)::timestamptz"
        }
        let results: [Rows]
        do throws(PostgresError) {
            results = try caller.read(
                [
                    "select count(*) from public.links l where \(condition)",
                    """
                    with page as materialized (
                        select l.* from public.links l where \(condition)
                        order by l.created_at desc, l.id desc limit \(literal: page.limit) offset \(literal: page.offset)
                    )
                    select \(object())::text
                    from page l join rest.integer_ids n on n.user_id = l.user_id and n.kind = 'link' and n.row_id = l.id
                    where (select rest.fits_response(sum(octet_length(notes.body)))
                        from page join public.notes on notes.link_id = page.id)
                    order by l.created_at desc, l.id desc
                    """,
                ], settings)
        } catch {
            throw NeighbourError.ofTime(times.joined(separator: " or "), error)
        }
        return list(results, page, path: "/api/bookmarks/" + (isArchived ? "archived/" : ""), query: query)
    }

    /// Whether an address is saved. The server does not fetch it for the answer, so the answer has only what it knows.
    func check(_ parameters: Parameters) throws -> Response {
        guard let url = try parameters.nonEmpty("url") else { throw NeighbourError.missing("url") }
        return try Self.json(
            try caller.read([
                """
                select json_build_object(
                    'bookmark', found.bookmark, 'metadata', json_build_object(
                        'url', \(url)::text, 'title', found.bookmark ->> 'title',
                        'description', found.bookmark ->> 'description',
                        'preview_image', found.bookmark ->> 'preview_image_url'),
                    'auto_tags', '[]'::json)
                from (select 1) as one left join (
                    select \(object()) as bookmark from \(Self.source)
                    where l.id = rest.link_of_url((select auth.uid()), \(url))
                ) as found on true
                """
            ])[0])
    }

    // MARK: - Writing

    /// The columns of links that the members of a bookmark name, as a JSON object.
    ///
    /// - Parameter isNew: whether an empty title or description stands for that of the page, and not for none.
    private static func columns(_ parameters: Parameters, isNew: Bool) throws -> String {
        var members: [(String, String)] = []
        for name in ["title", "description"] {
            guard let text = try parameters.text(name), !(isNew && text.isEmpty) else { continue }
            members.append((name, text.isEmpty ? "null" : JSONText.string(text)))
        }
        if let flag = try parameters.flag("is_archived") { members.append(("list", flag ? #""archive""# : #""read""#)) }
        if let flag = try parameters.flag("unread") { members.append(("status", flag ? #""unread""# : #""read""#)) }
        return JSONText.object(members)
    }

    func create(_ parameters: Parameters) throws -> Response {
        guard let url = try parameters.nonEmpty("url") else { throw NeighbourError.missing("url") }
        let tags = try parameters.list("tag_names")
        let saved = try caller.save([
            """
            select id, state from rest.save_for_neighbour(
                \(url), \(try Self.columns(parameters, isNew: true))::jsonb, null,
                rest.linkding_tags(rest.link_of_url((select auth.uid()), \(url)), \(array: tags ?? [])::text[]),
                \(try parameters.nonEmpty("notes")))
            """
        ])[0]
        guard saved.count > 0, let link = saved.text(0, 0), let state = saved.text(0, 1) else {
            throw NeighbourError.notFound
        }
        guard caller.onlyAdds else {
            // A page that is there already gets these tags and no others.
            let replacing: [SQL] = tags.map { [Self.replaceTags(of: link, $0)] } ?? []
            let results = try caller.write(replacing + [statement(of: "\(link)::uuid")])
            return try Self.json(results[replacing.count], status: 201)
        }
        return try Self.json(
            try caller.read([
                """
                select json_build_object('id', number, 'state', \(state)::text) from rest.integer_ids
                where user_id = (select auth.uid()) and kind = 'link' and row_id = \(link)::uuid
                """
            ])[0], status: 201)
    }

    private static func replaceTags(of link: String, _ names: [String]) -> SQL {
        "select rest.replace_tags(\(link)::uuid, rest.linkding_tags(\(link)::uuid, \(array: names)::text[]))"
    }

    /// - Parameter isWhole: whether the request has to name the address.
    func change(_ number: Int, _ parameters: Parameters, isWhole: Bool) throws -> Response {
        let url = try parameters.nonEmpty("url")
        guard !isWhole || url != nil else { throw NeighbourError.missing("url") }
        let columns = try Self.columns(parameters, isNew: false)
        let tags = try parameters.list("tag_names")
        let note = try parameters.text("notes")
        let link = try link(number)
        var statements: [SQL] = ["select rest.change_for_neighbour(\(link)::uuid, \(columns)::jsonb)"]
        if let url {
            statements.append(
                "update public.links set raw_url = \(url) where id = \(link)::uuid and raw_url <> \(url)")
        }
        if let tags { statements.append(Self.replaceTags(of: link, tags)) }
        if let note { statements.append("select rest.write_note(\(link)::uuid, \(note))") }
        do {
            let results = try caller.write(statements + [statement(of: "\(link)::uuid")])
            return try Self.json(results[statements.count])
        } catch PostgresError.refused(let refusal) where refusal.sqlState == "23505" {
            throw NeighbourError.badParameter("url", "an address that no other bookmark has")
        }
    }

    func move(_ number: Int, to list: String) throws -> Response {
        let link = try link(number)
        _ = try caller.write(["update public.links set list = \(list) where id = \(link)::uuid"])
        return Response(status: 204)
    }

    /// Moves a link to the trash.
    func delete(_ number: Int) throws -> Response {
        let link = try link(number)
        _ = try caller.write(["delete from public.links where id = \(link)::uuid"])
        return Response(status: 204)
    }

    private func link(_ number: Int) throws -> String {
        let rows = try caller.read(["select rest.numbered_link(\(number)::integer)"])[0]
        guard let id = rows.text(0, 0) else { throw NeighbourError.notFound }
        return id
    }
}
