internal import HTTP

/// A response in the form of CGI: a `Status` line, header fields and an empty line, followed by the body.
struct ResponseText {
    let head: [UInt8]
    let body: [UInt8]

    /// `method` is the request's. The response to HEAD has no body, whatever the handler returned.
    init(_ response: Response, to method: String) {
        let status = (200...599).contains(response.status) ? response.status : 500
        let isBodyless = method == "HEAD" || status == 204 || status == 304
        var text: [UInt8] = Array("Status: \(status) \(Self.reason(status))\r\n".utf8)
        for field in response.headers.fields where field.name != "status" {
            Self.append(field.name, to: &text)
            text += [UInt8(ascii: ":"), UInt8(ascii: " ")]
            Self.append(field.value, to: &text)
            text += Self.lineEnd
        }
        let mayHaveLength = status != 204 && status != 304 && !(method == "HEAD" && response.body.isEmpty)
        if mayHaveLength, response.headers["content-length"] == nil {
            text += Array("content-length: \(response.body.count)\r\n".utf8)
        }
        head = text + Self.lineEnd
        body = isBodyless ? [] : response.body
    }

    private static let lineEnd: [UInt8] = [0x0d, 0x0a]

    /// Line ends inside a name or value would add further fields. They are dropped, and so is NUL.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: text.utf8.lazy.filter { $0 != 0x0d && $0 != 0x0a && $0 != 0 })
    }

    /// nginx passes the reason phrase on to HTTP/1.1 clients, some of which expect it.
    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 507: "Insufficient Storage"
        default: "Status"
        }
    }
}
