import HTTP
import JSON
import Postgres

/// Answers the API of wallabag 2.6 (https://doc.wallabag.org/developer/api/) for its clients.
public struct Wallabag {
    /// The version of wallabag whose API this is. Clients compare it with the one that they need.
    static let version = "2.6.10"

    /// The URL of this service, without a trailing slash.
    let publicURL: String
    /// Bytes of articles in one response.
    let maximumBytes: Int
    let caller: NeighbourCaller
    /// Nil for requests whose answer depends on more than the rows of the user.
    let totals: KeptTotals?

    public init(publicURL: String, maximumBytes: Int, as caller: NeighbourCaller, totals: KeptTotals? = nil) {
        self.publicURL = publicURL
        self.maximumBytes = maximumBytes
        self.caller = caller
        self.totals = totals
    }

    /// Answers every route but those that need more than rows: signing in, and the exports of files that are made elsewhere.
    public func respond(to request: Request, _ route: WallabagRoute) throws -> Response {
        switch route {
        case .token, .export(_, .epub), .export(_, .md): throw NeighbourError.notFound
        case .version: return Self.response(JSONText.string(Self.version))
        case .info: return Self.info
        case .user: return try user()
        case .config: return try config()
        case .entries: return try entries(try Parameters(query: request.query))
        case .search: return try search(try Parameters(query: request.query))
        case .exists: return try exists(try Parameters(query: request.query))
        case .entry(let id): return try entry(id)
        case .createEntry: return try create(try Parameters(request))
        case .changeEntry(let id): return try change(id, try Parameters(request))
        case .deleteEntry(let id): return try delete(id, try Parameters(request))
        case .reload(let id): return try reload(id)
        case .createEntries: return try createAll(try Parameters(request))
        case .deleteEntries: return try deleteAll(try Parameters(request))
        case .export(let id, let format): return try export(id, format)
        case .tags: return try tags()
        case .entryTags(let id): return try tags(of: id)
        case .addTags(let id): return try addTags(id, try Parameters(request))
        case .removeTag(let id, let tag): return try removeTag(tag, from: id)
        case .addTagsToEntries: return try changeTags(try Parameters(request), isAdding: true)
        case .removeTagsFromEntries: return try changeTags(try Parameters(request), isAdding: false)
        case .deleteTag(let id): return try deleteTag(id)
        case .deleteLabel, .deleteLabels: return try deleteLabels(try Parameters(request))
        case .annotations(let entry): return try annotations(of: entry)
        case .annotate(let entry): return try annotate(entry, try Parameters(request))
        case .changeAnnotation(let id): return try changeAnnotation(id, try Parameters(request))
        case .deleteAnnotation(let id): return try deleteAnnotation(id)
        }
    }

    /// The ranges of annotations.
    func ranges(of annotations: [WallabagAnnotation]) throws -> AnnotationRanges {
        try AnnotationRanges(of: annotations, articles)
    }

    /// The articles of links, as many as may be in one response.
    private func articles(_ links: [String]) throws -> [(link: String, content: String, plain: String)] {
        let rows = try caller.read([
            """
            select link_id::text, content, text_content
            from (
                select link_id, content, text_content, sum(octet_length(content)) over (order by link_id) as bytes
                from public.articles where link_id = any (\(array: links)::uuid[])) as found
            where bytes <= \(maximumBytes)::bigint
            """
        ])[0]
        return (0..<rows.count).map { row in
            (rows.text(row, 0) ?? "", rows.text(row, 1) ?? "", rows.text(row, 2) ?? "")
        }
    }

    private static var info: Response {
        response(
            JSONText.object([
                ("appname", JSONText.string("wallabag")), ("version", JSONText.string(version)),
                ("allowed_registration", "false"),
            ]))
    }

    /// wallabag's clients take every success for 200.
    static func response(_ json: String) -> Response { response(bytes: Array(json.utf8)) }

    static func response(bytes: [UInt8]) -> Response {
        Response(status: 200, headers: ["content-type": NeighbourRoute.contentType], body: bytes)
    }

    /// The id of the link with a number.
    func link(_ number: Int) throws -> String {
        let rows = try caller.read(["select rest.numbered_link(\(number)::integer)"])[0]
        guard let id = rows.text(0, 0) else { throw NeighbourError.notFound }
        return id
    }

    /// The id of another row with a number.
    func row(_ kind: String, _ number: Int) throws -> String {
        let rows = try caller.read(["select rest.numbered_row(\(kind), \(number)::integer)"])[0]
        guard let id = rows.text(0, 0) else { throw NeighbourError.notFound }
        return id
    }

    /// The first column of the only row, which is JSON.
    static func json(_ rows: Rows) throws(NeighbourError) -> Response {
        guard rows.count > 0, let text = rows.text(0, 0) else { throw .notFound }
        return response(text)
    }
}

extension Wallabag {
    private func user() throws -> Response {
        try Self.json(
            try caller.read([
                """
                select json_build_object(
                    'id', n.number, 'username', email, 'name', email, 'email', email,
                    'created_at', rest.wallabag_time(rest.signed_up_at()),
                    'updated_at', rest.wallabag_time(rest.signed_up_at()), 'default_client', null)
                from (select auth.jwt() ->> 'email' as email) as claims, rest.integer_ids n
                where n.user_id = (select auth.uid()) and n.kind = 'user'
                """
            ])[0])
    }

    /// With what PullRead's viewer asks for at the same path.
    private func config() throws -> Response {
        try Self.json(
            try caller.read([
                """
                select json_build_object(
                    'id', n.number, 'items_per_page', 30, 'language', 'en', 'feed_limit', 50, 'reading_speed', 200.0,
                    'action_mark_as_read', 0, 'list_mode', 0,
                    \(PullRead.configuration))
                from rest.integer_ids n where n.user_id = (select auth.uid()) and n.kind = 'user'
                """
            ])[0])
    }
}
