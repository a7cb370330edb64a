import FoundationEssentials
import HTTP
import JSON
import Postgres

/// Single entries: reading, saving, changing and deleting them.
extension Wallabag {
    /// The statement that reads one entry with its text.
    private func statement(of link: String) -> SQL {
        statement("select \(link)::uuid as id, 1 as place", hasContent: true)
    }

    private func entryResponse(_ rows: Rows) throws -> Response {
        guard rows.count > 0 else { throw NeighbourError.notFound }
        var body: [UInt8] = []
        try WallabagEntry.append(rows, to: &body, ranges: ranges)
        return Self.response(bytes: body)
    }

    func entry(_ number: Int) throws -> Response {
        let wanted: SQL = "select rest.numbered_link(\(number)::integer) as id, 1 as place"
        return try entryResponse(try caller.read([statement(wanted, hasContent: true)])[0])
    }

    /// Runs statements that change a link, and answers with the entry.
    func changed(_ link: String, by statements: [SQL]) throws -> Response {
        let results = try caller.write(statements + [statement(of: link)])
        return try entryResponse(results[statements.count])
    }

    // MARK: - Saving

    func create(_ parameters: Parameters) throws -> Response {
        guard let url = try parameters.nonEmpty("url") else { throw NeighbourError.missing("url") }
        _ = try parameters.flag("public")
        let saving: SQL =
            """
            select id, state from rest.save_for_neighbour(
                \(url), \(try Self.columns(parameters))::jsonb, \(try parameters.nonEmpty("content")),
                \(array: try parameters.list("tags") ?? [])::text[], null)
            """
        let saved = try Self.withTimes { () throws(PostgresError) in try caller.save([saving])[0] }
        guard saved.count > 0, let link = saved.text(0, 0), let state = saved.text(0, 1) else {
            throw NeighbourError.notFound
        }
        guard caller.onlyAdds else {
            let sharing = try Self.sharing(link, parameters)
            return sharing.isEmpty
                ? try entryResponse(try caller.read([statement(of: link)])[0]) : try changed(link, by: sharing)
        }
        return try Self.json(
            try caller.read([
                """
                select json_build_object('id', number, 'state', \(state)::text) from rest.integer_ids
                where user_id = (select auth.uid()) and kind = 'link' and row_id = \(link)::uuid
                """
            ])[0])
    }

    /// The columns of links that the parameters of an entry name, as a JSON object.
    private static func columns(_ parameters: Parameters) throws -> String {
        var members: [(String, String)] = []
        for (name, column) in [
            ("title", "title"), ("language", "lang"), ("authors", "byline"),
        ] {
            if let text = try parameters.nonEmpty(name) { members.append((column, JSONText.string(text))) }
        }
        if let address = try parameters.nonEmpty("preview_picture") {
            guard ["http://", "https://"].contains(where: { address.lowercased().hasPrefix($0) }) else {
                throw NeighbourError.badParameter("preview_picture", "an http or https URL")
            }
            members.append(("image", JSONText.string(address)))
        }
        if let flag = try parameters.flag("archive") { members.append(("list", flag ? #""archive""# : #""read""#)) }
        if let flag = try parameters.flag("starred") { members.append(("is_starred", flag ? "true" : "false")) }
        if let text = try parameters.nonEmpty("published_at") {
            members.append(("published_at", JSONText.string(time(text))))
        }
        return JSONText.object(members)
    }

    /// A time as PostgreSQL reads it. Clients send epoch seconds, too.
    private static func time(_ text: String) -> String {
        guard text.utf8.count <= 12, let seconds = Int(text) else { return text }
        return Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
    }

    // MARK: - Changing

    func change(_ number: Int, _ parameters: Parameters) throws -> Response {
        let columns = try Self.columns(parameters)
        _ = try parameters.flag("public")
        let content = try parameters.nonEmpty("content")
        let tags = try Self.labels(parameters)
        let link = try link(number)
        var statements: [SQL] = []
        if let content {
            statements.append(
                """
                select page.id from public.links l, public.save_page(l.raw_url, \(content), null, null, null, null) as page
                where l.id = \(link)::uuid
                """)
        }
        statements.append("select rest.change_for_neighbour(\(link)::uuid, \(columns)::jsonb)")
        if !tags.isEmpty { statements.append("select rest.replace_tags(\(link)::uuid, \(array: tags)::text[])") }
        statements += try Self.sharing(link, parameters)
        let results = try Self.withTimes { [statements] () throws(PostgresError) in
            try caller.write(statements + [statement(of: link)])
        }
        return try entryResponse(results[statements.count])
    }

    /// The result of statements that store a time of a client.
    private static func withTimes<Result>(_ statements: () throws(PostgresError) -> Result) throws -> Result {
        do throws(PostgresError) { return try statements() } catch {
            throw NeighbourError.ofTime("published_at", error)
        }
    }

    /// The statement that lets everyone with an address read the article, or ends that, if the parameters ask for it.
    private static func sharing(_ link: String, _ parameters: Parameters) throws -> [SQL] {
        switch try parameters.flag("public") {
        case true?: ["select id from public.share_link(\(link)::uuid)"]
        case false?: ["select public.unshare_link(\(link)::uuid)"]
        case nil: []
        }
    }

    /// Fetches the page again. The answer has the article as it was before.
    func reload(_ number: Int) throws -> Response {
        let link = try link(number)
        return try changed(link, by: ["update public.links set state = 'pending' where id = \(link)::uuid"])
    }

    /// Moves a link to the trash. The answer has what it was.
    func delete(_ number: Int, _ parameters: Parameters) throws -> Response {
        let expected = try parameters.nonEmpty("expect") ?? "entry"
        guard ["id", "entry"].contains(expected) else {
            throw NeighbourError.badParameter("expect", "\"id\" or \"entry\"")
        }
        let link = try link(number)
        let results = try caller.write([
            statement(of: link), "delete from public.links where id = \(link)::uuid returning id",
        ])
        guard results[1].count > 0 else { throw NeighbourError.notFound }
        guard expected == "entry" else { return Self.response(#"{"id":\#(number)}"#) }
        return try entryResponse(results[0])
    }
}
