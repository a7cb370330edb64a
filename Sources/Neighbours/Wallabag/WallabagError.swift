import HTTP
import JSON

/// The shapes of wallabag's errors.
enum WallabagError {
    static func response(to error: some APIError) -> Response {
        response(
            status: error.status,
            JSONText.object([
                (
                    "error",
                    JSONText.object([
                        ("code", String(error.status)), ("message", JSONText.string(bounded(error.message))),
                    ])
                )
            ]))
    }

    /// The shape of OAuth (RFC 6749, 5.2), which wallabag uses for everything about tokens.
    static func response(toCredentials error: some APIError) -> Response {
        let code = error.status == 403 ? "insufficient_scope" : "invalid_grant"
        return oauth(status: error.status, code, bounded(error.message))
    }

    static func oauth(status: Int, _ code: String, _ description: String) -> Response {
        response(
            status: status,
            JSONText.object([
                ("error", JSONText.string(code)), ("error_description", JSONText.string(description)),
            ]))
    }

    private static func response(status: Int, _ json: String) -> Response {
        Response(status: status, headers: ["content-type": NeighbourRoute.contentType], body: Array(json.utf8))
    }

    /// Errors quote the request, which may be long.
    private static func bounded(_ text: String) -> String {
        text.unicodeScalars.count <= 1_000 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000)))
    }
}
