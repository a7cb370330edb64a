import HTTP
import JSON
import Postgres
import Search

/// Lists of entries.
extension Wallabag {
    /// The page of a list that a client asks for.
    struct Page {
        var number: Int
        var size: Int

        private static let usualSize = 30
        /// With and without the texts of articles.
        private static let maximumSizes = (full: 100, metadata: 1_000)

        init(_ parameters: Parameters, hasContent: Bool) throws(NeighbourError) {
            let maximum = hasContent ? Self.maximumSizes.full : Self.maximumSizes.metadata
            number = try parameters.number("page", in: 1...1_000_000) ?? 1
            size = try parameters.number("perPage", in: 0...maximum) ?? Self.usualSize
            if size == 0 { size = Self.usualSize }
        }

        var offset: Int { (number - 1) * size }

        func count(total: Int) -> Int { max(1, (total + size - 1) / size) }
    }

    func entries(_ parameters: Parameters) throws -> Response {
        let filter = try WallabagFilter(parameters)
        let page = try Page(parameters, hasContent: filter.hasContent)
        let wanted: SQL = """
            select id, row_number() over () as place from (
                select l.id from public.links l\(filter.join)\(filter.condition)
                order by \(filter.order) limit \(literal: page.size) offset \(literal: page.offset)
            ) as page
            """
        let entries = statement(wanted, hasContent: filter.hasContent)
        let conditions = filter.query.filter { !["sort", "order", "detail"].contains($0.0) }
        let list = conditions.map { $0.0 + "=" + percentEncoded($0.1) }.joined(separator: "&")
        if let total = totals?.read(list) {
            return try response(
                try caller.read([entries])[0], of: total, page, path: "/api/entries", query: filter.query)
        }
        let results = try caller.read(["select count(*) from public.links l\(filter.condition)", entries])
        let total = results[0].int(0, 0) ?? 0
        totals?.keep(list, total)
        return try response(results[1], of: total, page, path: "/api/entries", query: filter.query)
    }

    func search(_ parameters: Parameters) throws -> Response {
        let term = try parameters.text("term") ?? ""
        let page = try Page(parameters, hasContent: true)
        let trees = JSON.object([.init(term, try SearchQuery(parsing: term).json)])
        let settings = [Identity.Setting("request.queries", String(decoding: trees.bytes, as: UTF8.self))]
        // As many links as a change of everything that a query finds covers.
        let found: SQL = "rest.found_links(\(term), rest.max_changed_links())"
        let wanted: SQL = """
            select id, row_number() over () as place from (
                select l.id from public.links l where l.id = any (\(found)) order by l.created_at desc, l.id desc
                limit \(literal: page.size) offset \(literal: page.offset)
            ) as page
            """
        let results = try caller.read(
            ["select cardinality(\(found))", statement(wanted, hasContent: true)], settings)
        return try response(
            results[1], of: results[0].int(0, 0) ?? 0, page, path: "/api/search", query: [("term", term)])
    }

    func statement(_ wanted: SQL, hasContent: Bool) -> SQL {
        WallabagEntry.statement(wanted: wanted, hasContent: hasContent, maximumBytes: maximumBytes)
    }

    /// - Parameters:
    ///   - rows: the entries of the page.
    ///   - total: the number of all entries.
    ///   - query: the parameters of the list without those of the page.
    private func response(
        _ rows: Rows, of total: Int, _ page: Page, path: String, query: [(String, String)]
    ) throws -> Response {
        let pages = page.count(total: total)
        guard page.number <= pages else { throw NeighbourError.noPage }
        func link(_ number: Int) -> String {
            let pairs = query + [("page", String(number)), ("perPage", String(page.size))]
            let text = pairs.map { $0.0 + "=" + percentEncoded($0.1) }.joined(separator: "&")
            return JSONText.object([("href", JSONText.string(publicURL + path + "?" + text))])
        }
        var links = [("self", link(page.number)), ("first", link(1)), ("last", link(pages))]
        if page.number < pages { links.append(("next", link(page.number + 1))) }
        if page.number > 1 { links.append(("previous", link(page.number - 1))) }
        let head = JSONText.object([
            ("page", String(page.number)), ("limit", String(page.size)), ("pages", String(pages)),
            ("total", String(total)), ("_links", JSONText.object(links)),
        ])
        // The entries may be megabytes, so they are not made part of another text.
        var body = Array(head.utf8.dropLast())
        body += #","_embedded":{"items":["#.utf8
        try WallabagEntry.append(rows, to: &body, ranges: ranges)
        body += "]}}".utf8
        return Self.response(bytes: body)
    }
}

/// A text as it appears in a query.
func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        let isPlain =
            (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 || (0x30...0x39).contains(byte)
            || "-._~".utf8.contains(byte)
        encoded +=
            isPlain
            ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return encoded
}
