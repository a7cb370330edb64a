import HTTP

/// Cross-origin resource sharing: any page and any extension may call the API, since every call carries its own key
/// and token and no cookie ever counts.
enum CrossOrigin {
    /// On every answer, errors included: without it a page sees "failed to fetch" in place of a 401 or 409.
    static func mark(_ response: inout Response) {
        response.headers.set("access-control-allow-origin", "*")
        response.headers.set("access-control-expose-headers", exposed)
    }

    private static let exposed =
        "Content-Range, Location, Preference-Applied, Content-Location, X-Supabase-Api-Version, x-sb-error-code, x-relay-error, X-Request-Id, Retry-After, Server-Timing, ETag, X-Lectern-Superseded"

    /// In bytes; a browser asks for a few names.
    private static let longestEcho = 4_096

    /// The characters of header field names (RFC 9110, token) and of the list around them.
    private static func isListOfNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~, ".utf8.contains(byte)
        }
    }

    /// The answer to a preflight: every method there is, every header that was asked for.
    static func preflight(_ request: Request) -> Response {
        let usual =
            "authorization, apikey, content-type, prefer, range, range-unit, accept, accept-profile, content-profile, x-client-info, x-supabase-api-version, x-retry-count, x-region, if-none-match, x-lectern-acted-at, x-lectern-sent-at"
        var asked = request.headers["access-control-request-headers"] ?? ""
        // Echoed, so it must be a list of names, and fit what a web server takes for a head.
        if asked.utf8.count > longestEcho || !asked.utf8.allSatisfy(isListOfNames) { asked = "" }
        return Response(
            status: 204,
            headers: [
                "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD",
                "access-control-allow-headers": asked.isEmpty ? usual : usual + ", " + asked,
                "access-control-max-age": "3600",
            ])
    }
}
