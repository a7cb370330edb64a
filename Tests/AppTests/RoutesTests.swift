import App
import HTTP
import Testing

@Suite("App / routes")
struct RoutesTests {
    private func route(_ method: String, _ path: String, headers: Headers = [:]) throws(RouteError) -> Route {
        try Route(Request(method: method, path: path, headers: headers))
    }

    @Test("paths lead where they should", arguments: [
        ("GET", "/health", Route.health), ("GET", "/metrics", .metrics), ("GET", "/rest/v1/", .restRoot),
        ("GET", "/rest/v1/links", .table("links")), ("PUT", "/rest/v1/links", .table("links")),
        ("GET", "/rest/v1/my%20table", .table("my table")), ("POST", "/rest/v1/rpc/go", .function("go")),
        ("POST", "/auth/v1/signup", .auth(.signUp)), ("POST", "/auth/v1/token", .auth(.token)), ("GET", "/auth/v1/user", .auth(.user)),
        ("POST", "/auth/v1/logout", .auth(.logout)),
        ("DELETE", "/auth/v1/sessions/s", .auth(.endSession("s"))), ("PUT", "/auth/v1/admin/users/u", .auth(.admin(.updateUser("u")))),
        ("GET", "/auth/v1/exports/e/file", .auth(.exportedFile("e"))),
        ("GET", "/storage/v1/object/public/a/b/c.json", .publicFile(bucket: "a", path: "b/c.json")),
        ("POST", "/functions/v1/x", .serverFunction("x")),
    ])
    func known(method: String, path: String, expected: Route) throws {
        #expect(try route(method, path) == expected)
    }

    @Test("other paths are 404 in the words of their area", arguments: [
        "/", "/rest", "/rest/v2/links", "/rest/v1/links/1", "/auth/v1/admin", "/storage/v1/object/private/a/b",
        "/rest/v1/../v1/links", "/rest/v1/%2e%2e", "/rest/v1/%00", "/rest/v1/%FF", "/rest/v1/%G1", "/nothing",
        "/storage/v1/object/public/a/../../b",
    ])
    func unknown(path: String) {
        let error = #expect(throws: RouteError.self) { try route("GET", path) }
        #expect(error?.status == 404)
    }

    @Test("a known path with another method is 405 and says which are taken")
    func methods() {
        let error = #expect(throws: RouteError.self) { try route("GET", "/auth/v1/token") }
        #expect(error == .method(.auth, "GET", allowed: ["POST"]))
    }

    @Test("a preflight is answered on every path", arguments: ["/rest/v1/links", "/auth/v1/token", "/nowhere"])
    func preflight(path: String) throws {
        #expect(try route("OPTIONS", path, headers: ["access-control-request-method": "POST"]) == .preflight)
    }
}
