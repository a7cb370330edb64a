import Crypto
import HTTP
import MarkdownFiles
import Postgres

/// Answers `/markdown/<link id>.md` with an article as a Markdown file.
struct MarkdownEndpoint {
    func respond(to request: Request, _ link: String, as transaction: CallerTransaction) throws -> Response {
        let rows = try transaction.readOnly.run([
            "select members, markdown, plain from rest.markdown_file(\(link)::uuid)"
        ])[0]
        guard let text = Self.text(rows) else { throw ServiceError.noArticle }
        return Self.response(to: request, text, contentType: "text/markdown; charset=utf-8")
    }

    /// The file of a row of `rest.markdown_file`; nil without a row. While the Markdown of an article is not made, the
    /// file has its plain text.
    static func text(_ rows: Rows) -> String? {
        guard rows.count == 1, let members = rows.bytes(0, 0), let link = ExportedLink(json: Array(members)) else {
            return nil
        }
        let article = rows.text(0, 1) ?? rows.text(0, 2).map(PlainMarkdown.text)
        return MarkdownFile(link, article: article).text
    }

    /// The text with the hash of its bytes as entity tag, or 304 if the client has it already.
    static func response(to request: Request, _ text: String, contentType: String) -> Response {
        let body = Array(text.utf8)
        let hash = String(Digest.hex(Digest.sha256(body)).prefix(32))
        let headers: Headers = ["etag": "\"\(hash)\"", "cache-control": "private, no-cache"]
        if let known = request.headers["if-none-match"], BookEndpoint.matches(known, hash) {
            return Response(status: 304, headers: headers)
        }
        var response = Response(status: 200, headers: headers, body: body)
        response.headers.set("content-type", contentType)
        return response
    }
}
