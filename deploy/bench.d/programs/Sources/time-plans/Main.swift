import HTTP
import REST

/// Times the work of a request before its SQL is sent to PostgreSQL: parse, plan, render. Reads the result of
/// `Catalog.query` from standard input. Prints one line per request: its name, and microseconds. With `--query` it
/// prints that query instead.
@main
enum TimePlans {
    private static let requests: [(name: String, method: String, query: String, body: String)] = [
        ("list", "GET", "select=*&order=updated_at.desc.nullslast,id.desc&limit=15&status=eq.unread", ""),
        (
            "next page", "GET",
            "select=*&order=updated_at.desc.nullslast,id.desc&limit=15&or=(updated_at.lt.2024-01-01T00:00:00.000001%2B00:00,and(updated_at.eq.2024-01-01T00:00:00.000001%2B00:00,id.lt.00000000-0000-4000-8000-000000000001))",
            ""
        ),
        ("embedding", "GET", "select=id,title,tags(name),articles(excerpt)&tags.name=eq.swift&limit=15", ""),
        ("save", "POST", "", #"{"raw_url":"https://example.org/","list":"read","status":"unread"}"#),
    ]

    static func main() throws {
        if CommandLine.arguments.dropFirst() == ["--query"] { return print(Catalog.query.text) }
        var json = ""
        while let line = readLine(strippingNewline: false) { json += line }
        let catalog = try Catalog(json: json)
        for (name, method, query, body) in requests {
            let request = Request(method: method, path: "/rest/v1/links", query: query, body: Array(body.utf8))
            var length = 0
            let rounds = 5_000
            // The first rounds warm caches and are not timed.
            for _ in 0..<500 { length += try plan(request, catalog) }
            let start = ContinuousClock.now
            for _ in 0..<rounds { length += try plan(request, catalog) }
            let seconds = (ContinuousClock.now - start) / rounds
            precondition(length > 0)
            print(name, Double(seconds.components.attoseconds) / 1e12, separator: "\t")
        }
    }

    private static func plan(_ request: Request, _ catalog: Catalog) throws -> Int {
        let resource = Resource.table("links")
        let body = try JSONBody(of: request, for: resource)
        let sql = try Plan(request, resource, body: body?.outline, catalog: catalog).sql()
        return sql.filled(with: body?.text ?? "").text.utf8.count
    }
}
