import HTTP
import Postgres

/// Articles as files. Books and Markdown are made elsewhere.
extension Wallabag {
    /// The id of the link whose file is to be sent.
    public func link(ofFile number: Int) throws -> String { try link(number) }

    func export(_ number: Int, _ format: WallabagExport) throws -> Response {
        if format == .json {
            let entry = try entry(number).body
            return Self.response(bytes: Array("[".utf8) + entry + "]".utf8)
        }
        let rows = try caller.read([
            """
            select coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''), l.raw_url), a.content,
                a.text_content, coalesce(nullif(a.lang, ''), ''),
                case when a.dir in ('rtl', 'auto') then a.dir else 'ltr' end
            from public.links l join public.articles a on a.link_id = l.id
            where l.id = rest.numbered_link(\(number)::integer)
            """
        ])[0]
        guard rows.count > 0, let title = rows.text(0, 0) else { throw NeighbourError.notFound }
        guard format == .html else {
            return Self.file(title + "\n\n" + (rows.text(0, 2) ?? ""), "text/plain", "txt")
        }
        let heading = Self.escaped(title)
        let page = """
            <!DOCTYPE html>
            <html lang="\(Self.escaped(rows.text(0, 3) ?? ""))" dir="\(rows.text(0, 4) ?? "ltr")">
            <head><meta charset="utf-8"><title>\(heading)</title></head>
            <body><h1>\(heading)</h1>
            \(rows.text(0, 1) ?? "")
            </body></html>

            """
        return Self.file(page, "text/html", "html")
    }

    /// The policy keeps a browser that opens the file from running or loading anything.
    private static func file(_ text: String, _ type: String, _ suffix: String) -> Response {
        Response(
            status: 200,
            headers: [
                "content-type": type + "; charset=utf-8",
                "content-disposition": "attachment; filename=\"article.\(suffix)\"",
                "content-security-policy": "default-src 'none'; sandbox",
            ], body: Array(text.utf8))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
