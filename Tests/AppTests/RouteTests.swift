import App
import HTTP
import Testing

@Suite("App / routes")
struct RouteTests {
    private func route(_ method: String, _ path: String, headers: Headers = [:]) throws(RouteError) -> Route {
        try Route(Request(method: method, path: path, headers: headers))
    }

    @Test(
        "each path and method has its route",
        arguments: [
            ("GET", "/health", Route.open(.health)), ("GET", "/metrics", .open(.metrics)),
            ("HEAD", "/opensearch.xml", .open(.searchDescription)),
            ("GET", "/rest/v1/", .api(.restRoot)),
            ("GET", "/rest/v1/links", .api(.rest(.table("links")))),
            ("PUT", "/rest/v1/links", .api(.rest(.table("links")))),
            ("GET", "/rest/v1/my%20table", .api(.rest(.table("my table")))),
            ("POST", "/rest/v1/rpc/go", .api(.rest(.function("go")))),
            ("POST", "/auth/v1/signup", .api(.auth(.signUp))), ("POST", "/auth/v1/token", .api(.auth(.token))),
            ("GET", "/auth/v1/user", .api(.auth(.user))),
            ("POST", "/auth/v1/logout", .api(.auth(.logout))),
            ("DELETE", "/auth/v1/sessions/s", .api(.auth(.endSession("s")))),
            ("PUT", "/auth/v1/admin/users/u", .api(.auth(.admin(.updateUser("u"))))),
            ("GET", "/auth/v1/exports/e/file", .api(.auth(.exportedFile("e")))),
            ("HEAD", "/auth/v1/copies/c/file", .api(.auth(.copiedPage(link: "c")))),
            ("GET", "/public/abc", .open(.sharedArticle(token: "abc"))),
            ("HEAD", "/share/abc", .open(.sharedArticle(token: "abc"))),
            ("GET", "/storage/v1/object/public/a/b/c.json", .open(.publicFile(bucket: "a", path: "b/c.json"))),
            ("POST", "/functions/v1/x", .api(.serverFunction("x"))),
        ])
    func known(method: String, path: String, expected: Route) throws {
        #expect(try route(method, path) == expected)
    }

    @Test(
        "other paths are 404",
        arguments: [
            "/", "/rest", "/rest/v2/links", "/rest/v1/links/1", "/auth/v1/admin", "/storage/v1/object/private/a/b",
            "/rest/v1/../v1/links", "/rest/v1/%2e%2e", "/rest/v1/%00", "/rest/v1/%FF", "/rest/v1/%G1", "/rest/v1/%+1",
            "/nothing",
            "/opensearch.xml/x",
            "/storage/v1/object/public/a/../../b",
        ])
    func unknown(path: String) {
        let error = #expect(throws: RouteError.self) { try route("GET", path) }
        #expect(error?.status == 404)
    }

    @Test("a known path with another method is 405 with the allowed methods")
    func methods() {
        let error = #expect(throws: RouteError.self) { try route("GET", "/auth/v1/token") }
        #expect(error == .method(.auth, "GET", allowed: ["POST"]))
    }

    @Test("a book has the id of its link in its path")
    func books() throws {
        let id = "6F1C1C1E-7f0b-4c55-9f3b-0d8f8f8f8f8f"
        #expect(try route("GET", "/books/\(id).epub") == .api(.book(id.lowercased(), .book)))
        #expect(try route("GET", "/books/\(id).jpg") == .api(.book(id.lowercased(), .cover)))
        for path in [
            "/books/\(id)", "/books/\(id).", "/books/\(id).jpg.epub", "/books/x.epub", "/books/", "/books/\(id).epub/",
            "/books/\(id).pdf",
        ] {
            #expect(throws: RouteError.self) { try route("GET", path) }
        }
        #expect(throws: RouteError.self) { try route("POST", "/books/\(id).epub") }
    }

    @Test("the Markdown file of an article has the id of its link in its path")
    func markdown() throws {
        let id = "6F1C1C1E-7f0b-4c55-9f3b-0d8f8f8f8f8f"
        #expect(try route("GET", "/markdown/\(id).md") == .api(.markdown(link: id.lowercased())))
        for path in ["/markdown/\(id)", "/markdown/x.md", "/markdown/.md", "/markdown/a/\(id).md"] {
            #expect(throws: RouteError.self) { try route("GET", path) }
        }
        #expect(throws: RouteError.self) { try route("POST", "/markdown/\(id).md") }
    }

    @Test("a document has the id of its link in its path, and files to import have one path")
    func documents() throws {
        let id = "6F1C1C1E-7f0b-4c55-9f3b-0d8f8f8f8f8f"
        #expect(try route("GET", "/documents/\(id)") == .api(.document(link: id.lowercased())))
        #expect(try route("POST", "/import/v1/files") == .api(.importFile))
        for path in ["/documents/x", "/documents/", "/documents/\(id)/", "/import/v1/", "/import/v1/files/"] {
            #expect(throws: RouteError.self) { try route("GET", path) }
        }
        #expect(throws: RouteError.self) { try route("POST", "/documents/\(id)") }
        #expect(throws: RouteError.self) { try route("PUT", "/import/v1/files") }
    }

    @Test("every path accepts a preflight", arguments: ["/rest/v1/links", "/auth/v1/token", "/nowhere"])
    func preflight(path: String) throws {
        #expect(try route("OPTIONS", path, headers: ["access-control-request-method": "POST"]) == .open(.preflight))
    }
}
