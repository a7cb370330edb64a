import Feeds
import HTTP
import JSON
import Postgres

extension GoogleReader {
    /// What a client asks for: a page of a stream.
    private struct Page {
        var stream: GoogleReaderStream
        var count: Int
        /// The conditions on a link `l`.
        var condition: SQL
        var isOldestFirst: Bool

        var order: SQL { isOldestFirst ? "l.created_at, l.id" : "l.created_at desc, l.id desc" }
    }

    /// The microseconds when a link `l` was saved.
    private static let saved: SQL = "(rest.reader_seconds(l.created_at) * 1000000)::bigint"

    private func page(_ id: String, _ form: GoogleReaderForm, maximum: Int) throws(GoogleReaderError) -> Page {
        guard let stream = GoogleReaderStream(id) else { throw .unknownStream }
        var condition: SQL = "l.user_id = (select auth.uid()) and l.state <> 'pending' and (" + stream.condition + ")"
        for (name, isWanted) in [("it", true), ("xt", false)] {
            for id in form.all(name).prefix(10) where !id.isEmpty {
                guard let other = GoogleReaderStream(id) else { throw .badParameter(name) }
                condition += (isWanted ? " and (" : " and not (") + other.condition + ")"
            }
        }
        let seconds = 0...32_503_680_000
        if form["ot"] != nil {
            // Links whose pages were fetched since then are new to the client, too: imported links have old dates, and a
            // link appears only when its page has been fetched.
            let start = try form.number("ot", in: seconds, default: 0)
            condition += " and (l.created_at >= to_timestamp(\(start)::bigint)"
            condition += " or l.id in (select rest.links_fetched_since(to_timestamp(\(start)::bigint))))"
        }
        if form["nt"] != nil {
            let end = try form.number("nt", in: seconds, default: seconds.upperBound)
            condition += " and l.created_at < to_timestamp(\(end)::bigint)"
        }
        let isOldestFirst = form["r"] == "o"
        condition += try Self.continuation(form, isOldestFirst: isOldestFirst)
        let count = try form.number("n", in: 1...maximum, default: 20)
        return Page(stream: stream, count: count, condition: condition, isOldestFirst: isOldestFirst)
    }

    /// The condition on links that follow the last one of the page before.
    private static func continuation(_ form: GoogleReaderForm, isOldestFirst: Bool) throws(GoogleReaderError) -> SQL {
        guard let continuation = form["c"], !continuation.isEmpty else { return "" }
        let parts = continuation.split(separator: "_", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let time = parts[0], let number = parts[1], time >= 0, number >= 0 else {
            throw .badParameter("c")
        }
        let place: SQL = "(" + saved + ", rest.reader_number(l.id))"
        return " and " + place + (isOldestFirst ? " > " : " < ") + "(\(time)::bigint, \(number)::bigint)"
    }

    // MARK: - Ids

    func itemIDs(_ form: GoogleReaderForm) throws -> Response {
        guard let stream = form["s"] else { throw GoogleReaderError.badParameter("s") }
        let page = try page(stream, form, maximum: 10_000)
        let rows = try read(
            "select rest.reader_number(l.id)::text, " + Self.saved + "::text, l.list from public.links l where "
                + page.condition + " order by " + page.order + " limit \(page.count + 1)::integer")
        let count = min(rows.count, page.count)
        let items = (0..<count).map { row in
            JSONText.object([
                ("id", JSONText.string(rows.text(row, 0))),
                ("directStreamIds", "[\(JSONText.string("feed/" + (rows.text(row, 2) ?? "")))]"),
                ("timestampUsec", JSONText.string(rows.text(row, 1))),
            ])
        }
        var members = [("itemRefs", "[\(items.joined(separator: ","))]")]
        if rows.count > count, count > 0 {
            let last = "\(rows.text(count - 1, 1) ?? "0")_\(rows.text(count - 1, 0) ?? "0")"
            members.append(("continuation", JSONText.string(last)))
        }
        return Response(status: 200, json: JSONText.object(members))
    }

    // MARK: - Items

    /// Items with their articles in a response. Some clients ask for any number and do not go on with `c`.
    private static let itemsAtOnce = 2_500

    /// The statement for items: number, microseconds, JSON, and whether its article and those before are too long
    /// together. Such an item has its description.
    private func statement(_ condition: SQL, order: SQL, limit: Int) -> SQL {
        """
        select rest.reader_number(l.id)::text, (\(Self.saved))::text,
            rest.reader_item(l, case when sum(coalesce(octet_length(a.content), 0)) over (order by \(order))
                <= \(maximumBytes)::bigint then a.content end, array(
                    select t.name from public.link_tags lt join public.tags t on t.id = lt.tag_id
                    where lt.link_id = l.id order by lower(t.name)))::text,
            sum(coalesce(octet_length(a.content), 0)) over (order by \(order)) > \(maximumBytes)::bigint
        from public.links l left join public.articles a on a.link_id = l.id
        where \(condition)
        order by \(order)
        limit \(limit)::integer
        """
    }

    func items(_ id: String, _ form: GoogleReaderForm) throws -> Response {
        let id = id.isEmpty ? form["s"] ?? GoogleReaderStream.everything : id
        let page = try page(id, form, maximum: Self.itemsAtOnce)
        let rows = try read(statement(page.condition, order: page.order, limit: page.count + 1))
        return items(rows, maximum: page.count, of: id, page.stream.title)
    }

    /// Clients ask for up to ten thousand items at once, and go on with `c` while there is a continuation.
    func itemsByID(_ form: GoogleReaderForm) throws -> Response {
        let numbers = Self.array(try form.numbers(maximum: 10_000))
        let condition: SQL =
            "l.id in (select rest.reader_links(\(numbers)::bigint[]))"
            + (try Self.continuation(form, isOldestFirst: false))
        let rows = try read(statement(condition, order: "l.created_at desc, l.id desc", limit: Self.itemsAtOnce + 1))
        return items(rows, maximum: Self.itemsAtOnce, of: GoogleReaderStream.everything, "Reading list")
    }

    /// As many of the items as may be answered at once, with their articles.
    private func items(_ rows: Rows, maximum: Int, of id: String, _ title: String) -> Response {
        let all = 0..<min(rows.count, maximum)
        let count = all.dropFirst().first { rows.bool($0, 3) == true } ?? all.count
        var members = stream(id, title, (0..<count).map { rows.text($0, 2) ?? "{}" })
        if rows.count > count, count > 0 {
            let last = "\(rows.text(count - 1, 1) ?? "0")_\(rows.text(count - 1, 0) ?? "0")"
            members.append(("continuation", JSONText.string(last)))
        }
        return Response(status: 200, json: JSONText.object(members))
    }

    private func stream(_ id: String, _ title: String, _ items: [String]) -> [(String, String)] {
        let own = JSONText.object([("href", JSONText.string(publicURL + "/"))])
        return [
            ("direction", JSONText.string("ltr")), ("id", JSONText.string(id)), ("title", JSONText.string(title)),
            ("self", "[\(own)]"), ("alternate", "[\(own)]"), ("updated", "0"),
            ("items", "[\(items.joined(separator: ","))]"),
        ]
    }

    // MARK: - Atom

    func atom(_ id: String, _ form: GoogleReaderForm) throws -> Response {
        let page = try page(id, form, maximum: 200)
        let rows = try read(statement(page.condition, order: page.order, limit: page.count))
        let entries = (0..<rows.count).compactMap { rows.text($0, 2).flatMap { JSON(parsing: Array($0.utf8)) } }
        return Response(
            status: 200, headers: ["content-type": "application/atom+xml; charset=utf-8"],
            body: ReaderAtom(title: page.stream.title, address: publicURL + "/", items: entries).bytes)
    }
}
