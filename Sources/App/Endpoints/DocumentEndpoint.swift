import HTTP
import Postgres
import REST

/// Answers `/documents/<link id>` with the file that a link is. nginx sends it.
struct DocumentEndpoint {
    func respond(to request: Request, _ link: String, as transaction: CallerTransaction) throws -> Response {
        let rows = try transaction.readOnly.run([
            "select address, name, type, hash from rest.document_of(\(link)::uuid)"
        ])[0]
        guard rows.count == 1, let address = rows.text(0, 0), let name = rows.text(0, 1), let type = rows.text(0, 2),
            let hash = rows.text(0, 3)
        else { throw ServiceError.noDocument }
        let headers: Headers = ["etag": "\"\(hash)\"", "cache-control": "private, no-cache"]
        if let known = request.headers["if-none-match"], BookEndpoint.matches(known, hash) {
            return Response(status: 304, headers: headers)
        }
        var response = Response(status: 200, headers: headers)
        response.headers.set("content-type", type)
        response.headers.set("content-disposition", Self.disposition(name))
        // nginx sends the file, with headers that keep a browser from showing it; see its location /.documents/.
        response.headers.set("x-accel-redirect", "/.documents/\(address)")
        return response
    }

    /// The file's own name, for programs that know UTF-8 (RFC 6266) and for others.
    static func disposition(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\" && scalar.value != 0x7F
                    ? Character(scalar) : "_"
            })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(QueryString.encoded(name))"
    }
}
