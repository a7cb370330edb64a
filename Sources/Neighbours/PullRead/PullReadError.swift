import HTTP
import JSON

/// The shapes of the errors of PullRead's viewer.
public enum PullReadError: APIError, Equatable {
    /// There is no such file, or the name is not that of a file.
    case noFile
    /// The request would write, and its only credential is the viewer's cookie.
    case readOnly
    case badBody
    case missing(String)

    public var status: Int {
        switch self {
        case .noFile: 404
        case .readOnly: 405
        case .badBody, .missing: 400
        }
    }

    public var code: String { "LCT\(status)" }

    public var message: String {
        switch self {
        case .noFile: "Not found"
        case .readOnly: "Read-only viewer"
        case .badBody: "The body is not a JSON object"
        case .missing(let name): "\(name) is required"
        }
    }

    /// An error of any kind as the viewer expects it.
    static func response(to error: some APIError) -> Response {
        if error.status == 404 {
            return Response(
                status: 404, headers: ["content-type": "text/plain; charset=utf-8"], body: Array("Not found".utf8))
        }
        // Errors quote the request, which may be long.
        let message = JSONText.string(String(error.message.prefix(1_000)))
        return Response(status: error.status, json: JSONText.object([("error", message)]))
    }
}
