import HTTP
import Testing

@testable import App

@Suite("App / routes of the auth API")
struct AuthRouteTests {
    private func route(_ method: String, _ path: [String]) throws(RouteError) -> AuthRoute {
        try AuthRoute(path, Request(method: method, path: "/auth/v1/" + path.joined(separator: "/")))
    }

    @Test(
        "the method selects one of the routes of a path",
        arguments: [
            ("GET", AuthRoute.user), ("PUT", .updateUser), ("DELETE", .deleteUser),
        ])
    func methods(method: String, expected: AuthRoute) throws { #expect(try route(method, ["user"]) == expected) }

    @Test("another method is refused with the allowed ones")
    func otherMethod() {
        #expect(throws: RouteError.method(.auth, "PATCH", allowed: ["GET", "POST"])) { try route("PATCH", ["tokens"]) }
    }

    @Test("unknown paths are refused", arguments: [["x"], ["admin"], ["exports", "a", "b"], ["user", "x"]])
    func unknown(path: [String]) { #expect(throws: RouteError.self) { try route("GET", path) } }

    @Test(
        "signing in requires a key, links, codes and signed URLs nothing, the rest a caller",
        arguments: [
            (AuthRoute.signUp, AuthRoute.Access.key), (.token, .key), (.recover, .key), (.resend, .key),
            (.verificationPage, .open), (.exportedFile("x"), .open), (.copiedPage(link: "x"), .open),
            (.copies, .caller), (.claimPairing, .open), (.startPairing, .caller), (.user, .caller),
            (.admin(.users), .caller),
        ])
    func access(route: AuthRoute, access: AuthRoute.Access) { #expect(route.access == access) }
}
