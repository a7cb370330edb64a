@testable import App
import Auth
import HTTP
import Testing

@Suite("App / scopes of personal API tokens")
struct APIRouteTests {
    private func scopes(_ method: String, _ path: String) throws -> [PersonalToken.Scope] {
        guard case .api(let route) = try Route(Request(method: method, path: path)) else { return [] }
        return route.scopes(method)
    }

    @Test(
        "read permits reads of tables and functions, and no writes",
        arguments: [
            ("GET", "/rest/v1/links", true), ("HEAD", "/rest/v1/tags", true), ("GET", "/rest/v1/rpc/f", true),
            ("GET", "/auth/v1/user", true), ("POST", "/rest/v1/links", false), ("PATCH", "/rest/v1/links", false),
            ("PUT", "/rest/v1/links", false), ("DELETE", "/rest/v1/links", false),
            ("POST", "/rest/v1/rpc/save_page", false),
            ("POST", "/functions/v1/resolve-url", false), ("POST", "/auth/v1/exports", false),
        ])
    func read(method: String, path: String, isAccepted: Bool) throws {
        #expect(try scopes(method, path).contains(.read) == isAccepted)
    }

    @Test(
        "save permits adding links, and no reads",
        arguments: [
            ("POST", "/rest/v1/links", true), ("POST", "/rest/v1/rpc/save_page", true),
            ("POST", "/functions/v1/resolve-url", true),
            ("GET", "/rest/v1/links", false), ("PATCH", "/rest/v1/links", false), ("POST", "/rest/v1/tags", false),
            ("POST", "/rest/v1/rpc/merge_tags", false), ("GET", "/rest/v1/articles", false),
        ])
    func save(method: String, path: String, isAccepted: Bool) throws {
        #expect(try scopes(method, path).contains(.save) == isAccepted)
    }

    @Test("full permits every method on tables", arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    func full(method: String) throws {
        #expect(try scopes(method, "/rest/v1/links").contains(.full))
        #expect(try scopes(method, "/rest/v1/tags").contains(.full))
    }

    @Test(
        "no scope permits changes of the account, its sessions or its tokens",
        arguments: [
            ("PUT", "/auth/v1/user"), ("DELETE", "/auth/v1/user"), ("POST", "/auth/v1/logout"),
            ("GET", "/auth/v1/sessions"),
            ("DELETE", "/auth/v1/sessions/x"), ("GET", "/auth/v1/tokens"), ("POST", "/auth/v1/tokens"),
            ("DELETE", "/auth/v1/tokens/x"), ("GET", "/auth/v1/audit"), ("GET", "/auth/v1/admin/users"),
            ("POST", "/auth/v1/invite"), ("POST", "/auth/v1/factors"),
        ])
    func account(method: String, path: String) throws {
        #expect(try scopes(method, path) == [])
    }
}
