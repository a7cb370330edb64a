import HTTP
import Postgres
import REST
import Text

/// Answers `/books/<id>.epub` and `/books/<id>.jpg`, for a link or a book of several articles. The jobs process has made
/// the book and its cover; nginx sends the file. A book that is not there yet is made before others.
struct BookEndpoint {
    func respond(
        to request: Request, book: String, _ file: BookFileType, as transaction: CallerTransaction
    ) throws -> Response {
        let hasHighlights = try Self.wantsHighlights(request)
        let rows = try transaction.readOnly.run([
            "select hash, title from rest.book(\(book)::uuid, \(hasHighlights)::boolean)"
        ])[0]
        guard rows.count == 1, let hash = rows.text(0, 0) else {
            // A catalog shows the covers of fifty books at once. When the server fails here, the answer is the same.
            if file == .book { _ = try? transaction.writing.run(["select rest.request_book(\(book)::uuid)"]) }
            throw ServiceError.noBook
        }
        let headers: Headers = ["etag": "\"\(hash)\"", "cache-control": "private, no-cache"]
        if let known = request.headers["if-none-match"], Self.matches(known, hash) {
            return Response(status: 304, headers: headers)
        }
        var response = Response(status: 200, headers: headers)
        response.headers.set("content-type", file.contentType)
        if file == .book {
            response.headers.set("content-disposition", Self.disposition(title: rows.text(0, 1) ?? ""))
        }
        // nginx sends the file, with the entity tag of this response; see its location /.books/.
        response.headers.set("x-accel-redirect", "/.books/\(hash.prefix(2))/\(hash).\(file.rawValue)")
        return response
    }

    /// The parameter `highlights`: 1, 0 or absent.
    private static func wantsHighlights(_ request: Request) throws -> Bool {
        switch try QueryString(request.query)["highlights"] {
        case nil, "0": false
        case "1": true
        case .some: throw ServiceError.badArguments("The parameter highlights must be 0 or 1")
        }
    }

    /// Whether a list of entity tags has this one (RFC 9110, 13.1.2).
    static func matches(_ list: String, _ hash: String) -> Bool {
        list.split(separator: ",").contains { tag in
            let tag = String(tag).trimmingPrefix { $0 == " " }
            return tag == "*" || tag.hasPrefix("\"\(hash)\"") || tag.hasPrefix("W/\"\(hash)\"")
        }
    }

    /// A file name of the title, for programs that know UTF-8 (RFC 6266) and for others.
    static func disposition(title: String) -> String {
        let name = FileName.words(of: title) ?? "article"
        let ascii = String(decoding: name.utf8.filter { $0 < 0x80 }, as: UTF8.self)
        let plain = ascii.contains(where: \.isLetter) ? ascii : "article"
        return "attachment; filename=\"\(plain).epub\"; filename*=UTF-8''\(percentEncoded(name)).epub"
    }

    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
