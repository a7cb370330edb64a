import HTTP
import JSON
import Postgres

/// Answers the Google Reader API: the two lists are subscriptions, and links are their items. Reading and starring an item
/// reads and stars its link.
///
/// Source: https://github.com/mihaip/google-reader-api and FreshRSS's `greader.php`, which clients expect.
public struct GoogleReader {
    /// Runs one statement as the caller and returns its rows.
    public typealias Run = (SQL) throws -> Rows

    /// The URL of this service, without a trailing slash.
    let publicURL: String
    /// Bytes of articles in one response; further items have their descriptions.
    let maximumBytes: Int
    let read: Run
    let write: Run

    public init(publicURL: String, maximumBytes: Int, read: @escaping Run, write: @escaping Run) {
        (self.publicURL, self.maximumBytes, self.read, self.write) = (publicURL, maximumBytes, read, write)
    }

    /// Answers every route. Whether a client that signs in may do so is decided before.
    public func respond(to request: Request, _ route: GoogleReaderRoute) throws -> Response {
        let form = try GoogleReaderForm(request)
        switch route {
        case .signIn: return Self.text("SID=\(form["Passwd"] ?? "")\nLSID=null\nAuth=\(form["Passwd"] ?? "")\n")
        // Clients send it back with every write. The header alone decides, since no cookie is taken.
        case .token: return Self.text(String(repeating: "0", count: 57))
        case .user: return try user()
        case .subscriptions: return subscriptions
        case .tags: return try tags()
        case .unreadCounts: return try unreadCounts()
        case .items(let stream): return try items(stream, form)
        case .itemIDs: return try itemIDs(form)
        case .itemsByID: return try itemsByID(form)
        case .atom(let stream): return try atom(stream, form)
        case .edit: return try edit(form)
        case .markAllRead: return try markAllRead(form)
        }
    }

    static func text(_ text: String) -> Response {
        Response(status: 200, headers: ["content-type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    private static let done = text("OK")

    private func json(_ statement: SQL) throws -> Response {
        Response(status: 200, json: try read(statement).text(0, 0) ?? "{}")
    }

    // MARK: - Lists

    private func user() throws -> Response {
        try json(
            """
            select json_build_object('userId', auth.uid(), 'userName', auth.jwt() ->> 'email',
                'userProfileId', auth.uid(), 'userEmail', auth.jwt() ->> 'email')::text
            """)
    }

    // Clients take subscriptions with one URL for one.
    private var subscriptions: Response {
        let folder = JSONText.object([
            ("id", JSONText.string("user/-/label/\(GoogleReaderStream.folder)")),
            ("label", JSONText.string(GoogleReaderStream.folder)),
        ])
        let lists = GoogleReaderStream.lists.map { list, title in
            JSONText.object([
                ("id", JSONText.string("feed/\(list)")), ("title", JSONText.string(title)),
                ("categories", "[\(folder)]"), ("url", JSONText.string("\(publicURL)/#/\(list)")),
                ("htmlUrl", JSONText.string("\(publicURL)/#/\(list)")), ("iconUrl", JSONText.string("")),
            ])
        }
        return Response(status: 200, json: #"{"subscriptions":[\#(lists.joined(separator: ","))]}"#)
    }

    private func tags() throws -> Response {
        try json(
            """
            select json_build_object('tags', json_agg(json_build_object('id', id, 'type', type)))::text
            from (
                values ('user/-/state/com.google/starred', 'state'),
                    ('user/-/label/' || \(GoogleReaderStream.folder)::text, 'folder')
                union all
                select * from (
                    select 'user/-/label/' || name, 'tag' from public.tags
                    where user_id = (select auth.uid()) and name <> \(GoogleReaderStream.folder)
                    order by lower(name) limit 10000) as labels
            ) as streams (id, type)
            """)
    }

    private func unreadCounts() throws -> Response {
        try json(
            """
            select json_build_object('max', 1000000, 'unreadcounts', json_agg(json_build_object(
                'id', id, 'count', n, 'newestItemTimestampUsec', newest::text)))::text
            from (
                select coalesce('feed/' || l.list, 'user/-/state/com.google/reading-list') as id, count(*) as n,
                    coalesce(floor(extract(epoch from
                        max(l.created_at) filter (where isfinite(l.created_at))) * 1000000)::bigint, 0) as newest
                from public.links l
                where l.user_id = (select auth.uid()) and l.status = 'unread' and l.state <> 'pending'
                group by grouping sets ((l.list), ())) as counts
            """)
    }

    // MARK: - Changes

    private func edit(_ form: GoogleReaderForm) throws -> Response {
        let numbers = try form.numbers(maximum: 10_000)
        let links: SQL = "array(select rest.reader_links(\(Self.array(numbers))::bigint[]))"
        var changes: [SQL] = []
        for (name, isAdded) in [("a", true), ("r", false)] {
            let ids = form.all(name)
            guard ids.count <= 20 else { throw GoogleReaderError.badParameter(name) }
            for id in ids where !GoogleReaderStream.isWithoutMeaning(id) {
                guard let stream = GoogleReaderStream(id) else { throw GoogleReaderError.badParameter(name) }
                if let change = Self.change(stream, links, isAdded: isAdded) { changes.append(change) }
            }
        }
        for change in changes { _ = try write(change) }
        return Self.done
    }

    /// The statement that puts links into a stream or takes them out; nil where that means nothing here.
    private static func change(_ stream: GoogleReaderStream, _ links: SQL, isAdded: Bool) -> SQL? {
        switch stream {
        case .read:
            "update public.links set status = \(isAdded ? "read" : "unread") where id = any (" + links + ")"
        case .unread:
            isAdded ? "update public.links set status = 'unread' where id = any (" + links + ")" : nil
        case .starred: "update public.links set is_starred = \(isAdded) where id = any (" + links + ")"
        // The folder of the subscriptions is no tag.
        case .label(GoogleReaderStream.folder): nil
        case .label(let name) where (1...100).contains(name.unicodeScalars.count):
            "select rest.reader_label(" + links + ", \(name), \(isAdded))"
        case .label, .all, .list: nil
        }
    }

    private func markAllRead(_ form: GoogleReaderForm) throws -> Response {
        guard let stream = form["s"].flatMap(GoogleReaderStream.init) else { throw GoogleReaderError.badParameter("s") }
        // Microseconds; what was saved later stays unread.
        var before: Int?
        if let text = form["ts"], !text.isEmpty {
            guard let number = Int(text), number >= 0 else { throw GoogleReaderError.badParameter("ts") }
            before = number
        }
        _ = try write(
            "update public.links l set status = 'read' where l.user_id = (select auth.uid()) and l.status = 'unread'"
                + " and (\(before)::bigint is null"
                + " or l.created_at <= to_timestamp(\(before)::bigint / 1000000.0)) and (" + stream.condition + ")")
        return Self.done
    }

    static func array(_ numbers: [Int]) -> String { "{" + numbers.map(String.init).joined(separator: ",") + "}" }
}
