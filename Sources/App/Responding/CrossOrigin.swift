import HTTP

/// Cross-origin resource sharing. Any page and any extension may call the API, because every call carries its own key
/// and token; cookies are never used.
enum CrossOrigin {
    /// Marks every response, errors included: without these headers a page sees "failed to fetch" instead of a 401 or
    /// 409.
    static func mark(_ response: inout Response) {
        response.headers.set("access-control-allow-origin", "*")
        response.headers.set("access-control-expose-headers", exposedHeaders)
    }

    private static let exposedHeaders = """
        Content-Range, Location, Preference-Applied, Content-Location, X-Supabase-Api-Version, x-sb-error-code, \
        x-relay-error, X-Request-Id, Retry-After, Server-Timing, ETag, X-Lectern-Superseded
        """

    private static let allowedHeaders = """
        authorization, apikey, content-type, prefer, range, range-unit, accept, accept-profile, content-profile, \
        x-client-info, x-supabase-api-version, x-retry-count, x-region, if-none-match, x-lectern-acted-at, \
        x-lectern-sent-at
        """

    /// The longest list of requested headers that is echoed, in bytes. Browsers request a few names.
    private static let maxEchoBytes = 4_096

    /// The response to a preflight: allows every method and every requested header.
    static func preflight(_ request: Request) -> Response {
        var requested = request.headers["access-control-request-headers"] ?? ""
        // The value is echoed, so it must be a list of names and fit into the response head that nginx accepts.
        if requested.utf8.count > maxEchoBytes || !requested.utf8.allSatisfy(isAllowedInList) { requested = "" }
        return Response(
            status: 204,
            headers: [
                "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD",
                "access-control-allow-headers": requested.isEmpty ? allowedHeaders : allowedHeaders + ", " + requested,
                "access-control-max-age": "3600",
            ])
    }

    /// The characters of header names (`token` in RFC 9110) and of a list of them.
    private static func isAllowedInList(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~, ".utf8.contains(byte)
        }
    }
}
