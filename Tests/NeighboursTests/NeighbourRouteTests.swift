import HTTP
import Neighbours
import Testing

@Suite("Neighbours / routes")
struct NeighbourRouteTests {
    private func route(_ method: String, _ path: String) throws(NeighbourRoute.Failure) -> NeighbourRoute {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return try NeighbourRoute(segments, Request(method: method, path: path))
    }

    @Test("each path has its route, with and without .json", arguments: ["/api/version", "/api/version.json"])
    func known(path: String) throws {
        #expect(try route("GET", path) == .wallabag(.version))
        #expect(try route("HEAD", path) == .wallabag(.version))
    }

    @Test("another method is refused with those that the path has")
    func methods() {
        #expect(throws: NeighbourRoute.Failure.method(allowed: ["GET"])) { try route("POST", "/api/version") }
    }

    @Test("other paths are unknown", arguments: ["/api/", "/api/nothing", "/oauth/", "/api/version/x"])
    func unknown(path: String) {
        #expect(throws: NeighbourRoute.Failure.unknown) { try route("GET", path) }
    }
}
