@testable import App
import Auth
import HTTP
import Testing

@Suite("App / permissions of personal API tokens")
struct TokenPermissionTests {
    /// The permission of a scope on a route; nil if the scope is refused. Functions whose names begin with `count` only
    /// read.
    private func permission(
        _ scope: PersonalToken.Scope, _ method: String, _ path: String
    ) throws -> TokenPermission? {
        guard case .api(let route) = try Route(Request(method: method, path: path)) else { return nil }
        do {
            return try TokenPermission(scope, route, method: method) { $0.hasPrefix("count") }
        } catch is TokenError {
            return nil
        }
    }

    /// What read, save, full and feed permit, in this order.
    private static let table: [(String, String, [TokenPermission?])] = [
        ("GET", "/rest/v1/", [.reading, nil, .everything, nil]),
        ("GET", "/rest/v1/links", [.reading, nil, .everything, nil]),
        ("HEAD", "/rest/v1/tags", [.reading, nil, .everything, nil]),
        ("OPTIONS", "/rest/v1/tags", [.reading, nil, .everything, nil]),
        ("POST", "/rest/v1/links", [nil, .adding, .everything, nil]),
        ("POST", "/rest/v1/tags", [nil, nil, .everything, nil]),
        ("PATCH", "/rest/v1/links", [nil, nil, .everything, nil]),
        ("PUT", "/rest/v1/links", [nil, nil, .everything, nil]),
        ("DELETE", "/rest/v1/links", [nil, nil, .everything, nil]),
        ("GET", "/rest/v1/rpc/count_links", [.reading, nil, .everything, nil]),
        ("POST", "/rest/v1/rpc/count_links", [.reading, nil, .everything, nil]),
        ("POST", "/rest/v1/rpc/save_page", [nil, .adding, .everything, nil]),
        ("POST", "/rest/v1/rpc/save_copy", [nil, .adding, .everything, nil]),
        ("GET", "/auth/v1/copies", [.reading, nil, .reading, nil]),
        ("POST", "/rest/v1/rpc/merge_tags", [nil, nil, .everything, nil]),
        ("POST", "/import/v1/files", [nil, .adding, .everything, nil]),
        ("HEAD", "/import/v1/files", [nil, .adding, .everything, nil]),
        ("GET", "/documents/6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f", [.reading, nil, .reading, nil]),
        ("GET", "/markdown/6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f.md", [.reading, nil, .reading, nil]),
        ("POST", "/functions/v1/resolve-url", [nil, .everything, .everything, nil]),
        ("GET", "/auth/v1/user", [.reading, nil, .everything, nil]),
        ("GET", "/opds", [.reading, nil, .reading, .reading]),
        ("HEAD", "/opds/search", [.reading, nil, .reading, .reading]),
        ("GET", "/opds/t/lct_x", [nil, nil, nil, .reading]),
        ("GET", "/opds/t/lct_x/unread", [nil, nil, nil, .reading]),
        ("GET", "/feed/t/lct_x/unread.atom", [nil, nil, nil, .reading]),
        ("GET", "/feed/t/lct_x/tag/a.json", [nil, nil, nil, .reading]),
        ("GET", "/api/entries", [.reading, nil, .everything, nil]),
        ("POST", "/api/entries", [nil, .adding, .everything, nil]),
        ("PATCH", "/api/entries/1", [nil, nil, .everything, nil]),
        ("GET", "/api/bookmarks/", [.reading, nil, .everything, nil]),
        ("POST", "/api/bookmarks/", [nil, .adding, .everything, nil]),
        ("DELETE", "/api/bookmarks/1/", [nil, nil, .everything, nil]),
        ("GET", "/books/6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f.epub", [.reading, nil, .reading, .reading]),
    ]

    @Test("each scope permits what it is for", arguments: table)
    func scopes(method: String, path: String, expected: [TokenPermission?]) throws {
        let scopes: [PersonalToken.Scope] = [.read, .save, .full, .feed]
        #expect(try scopes.map { try permission($0, method, path) } == expected)
    }

    @Test(
        "no scope permits changes of the account, its sessions, tokens or exports",
        arguments: [
            ("PUT", "/auth/v1/user"), ("DELETE", "/auth/v1/user"), ("POST", "/auth/v1/logout"),
            ("GET", "/auth/v1/sessions"), ("DELETE", "/auth/v1/sessions/x"), ("GET", "/auth/v1/tokens"),
            ("POST", "/auth/v1/tokens"), ("DELETE", "/auth/v1/tokens/x"), ("GET", "/auth/v1/audit"),
            ("GET", "/auth/v1/exports"), ("POST", "/auth/v1/exports"), ("GET", "/auth/v1/exports/x"),
            ("GET", "/auth/v1/admin/users"), ("POST", "/auth/v1/invite"), ("POST", "/auth/v1/factors"),
        ])
    func account(method: String, path: String) throws {
        for scope in PersonalToken.Scope.allCases { #expect(try permission(scope, method, path) == nil) }
    }

    @Test("a refusal names the scope and says what it permits")
    func refusal() throws {
        let error = #expect(throws: TokenError.self) {
            try TokenPermission(.feed, .rest(.table("links")), method: "GET") { _ in false }
        }
        #expect(error == .insufficientScope(PersonalToken.Scope.feed.explanation))
        #expect(error?.message.contains("\"feed\"") == true && error?.message.contains("nothing else") == true)
    }
}
