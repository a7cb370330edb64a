import App
import Testing

@Suite("App / route errors")
struct RouteErrorTests {
    @Test("an unknown path is 404, another method 405")
    func statuses() {
        let (path, method) = (RouteError.unknown(.auth, "/x"), RouteError.method(.rest, "PATCH", allowed: ["GET"]))
        #expect(path.status == 404 && path.code == "PGRST125" && path.family == .auth)
        #expect(method.status == 405 && method.code == "PGRST117" && method.message.contains("PATCH"))
    }
}
