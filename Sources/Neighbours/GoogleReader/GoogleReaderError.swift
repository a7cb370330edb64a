import HTTP

/// Errors of the Google Reader API: a line of text.
public enum GoogleReaderError: APIError, Equatable {
    case badParameter(String)
    case unknownStream

    public var status: Int {
        switch self {
        case .badParameter: 400
        case .unknownStream: 404
        }
    }

    public var code: String { "LCT\(status)" }

    public var message: String {
        switch self {
        case .badParameter(let name): "The parameter \(name) is missing or wrong"
        case .unknownStream: "There is no such stream"
        }
    }

    /// An error of any kind in this shape.
    static func response(to error: some APIError, isCredentials: Bool) -> Response {
        var text = "Error=" + error.message.prefix(1_000).replacing("\n", with: " ") + "\n"
        if isCredentials && error.status == 401 { text = "Error=BadAuthentication\n" }
        return Response(
            status: error.status, headers: ["content-type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }
}
