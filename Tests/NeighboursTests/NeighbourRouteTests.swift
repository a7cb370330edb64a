import HTTP
import Neighbours
import Testing

@Suite("Neighbours / routes")
struct NeighbourRouteTests {
    private func route(_ method: String, _ path: String) throws(NeighbourRoute.Failure) -> NeighbourRoute {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return try NeighbourRoute(segments, Request(method: method, path: path))
    }

    @Test(
        "each path of wallabag has its route, with and without .json",
        arguments: [
            ("GET", "/api/version", WallabagRoute.version), ("HEAD", "/api/version", .version),
            ("GET", "/api/entries", .entries), ("POST", "/api/entries", .createEntry),
            ("GET", "/api/entries/exists", .exists), ("POST", "/api/entries/lists", .createEntries),
            ("DELETE", "/api/entries/list", .deleteEntries), ("PATCH", "/api/entries/7", .changeEntry(7)),
            ("PATCH", "/api/entries/7/reload", .reload(7)), ("GET", "/api/entries/7/tags", .entryTags(7)),
            ("DELETE", "/api/entries/7/tags/8", .removeTag(entry: 7, tag: 8)), ("GET", "/api/tags", .tags),
            ("DELETE", "/api/tags/9", .deleteTag(9)), ("DELETE", "/api/tags/label", .deleteLabels),
            ("DELETE", "/api/tag/label", .deleteLabel), ("GET", "/api/annotations/1", .annotations(entry: 1)),
            ("PUT", "/api/annotations/1", .changeAnnotation(1)), ("GET", "/api/search", .search),
            ("GET", "/api/user", .user), ("GET", "/api/config", .config),
        ])
    func wallabag(method: String, path: String, expected: WallabagRoute) throws {
        #expect(try route(method, path) == .wallabag(expected))
        #expect(try route(method, path + ".json") == .wallabag(expected))
    }

    @Test("exports have the format at their end")
    func exports() throws {
        #expect(try route("GET", "/api/entries/1/export.epub") == .wallabag(.export(1, .epub)))
        #expect(try route("GET", "/api/entries/1/export.json") == .wallabag(.export(1, .json)))
        #expect(throws: NeighbourRoute.Failure.unknown) { try route("GET", "/api/entries/1/export.mobi") }
    }

    @Test(
        "each path of linkding has its route, with and without the slash at its end",
        arguments: [
            ("GET", "/api/bookmarks", LinkdingRoute.bookmarks), ("POST", "/api/bookmarks", .createBookmark),
            ("GET", "/api/bookmarks/archived", .archived), ("GET", "/api/bookmarks/check", .check),
            ("PUT", "/api/bookmarks/7", .replaceBookmark(7)), ("POST", "/api/bookmarks/7/archive", .archive(7)),
            ("POST", "/api/bookmarks/7/unarchive", .unarchive(7)), ("GET", "/api/user/profile", .profile),
        ])
    func linkding(method: String, path: String, expected: LinkdingRoute) throws {
        #expect(try route(method, path) == .linkding(expected))
        #expect(try route(method, path + "/") == .linkding(expected))
    }

    @Test("the slash tells the tags of linkding from those of wallabag")
    func tags() throws {
        #expect(try route("GET", "/api/tags/") == .linkding(.tags))
        #expect(try route("GET", "/api/tags/5/") == .linkding(.tag(5)))
        #expect(try route("GET", "/api/tags") == .wallabag(.tags))
        #expect(NeighbourFamily(path: "/api/tags/") == .linkding && NeighbourFamily(path: "/api/tags") == .wallabag)
    }

    @Test("another method is refused with those that the path has")
    func methods() {
        #expect(throws: NeighbourRoute.Failure.method(allowed: ["GET"])) { try route("POST", "/api/version") }
        #expect(throws: NeighbourRoute.Failure.method(allowed: ["GET", "POST"])) { try route("PUT", "/api/tags/") }
    }

    @Test(
        "other paths and numbers of 2^31 or more are unknown",
        arguments: [
            "/api/", "/api/nothing", "/oauth/", "/oauth/v2/tokens", "/api/version/x", "/api/entries/x", "/api/entries/",
            "/api/entries/2147483648", "/api/entries/-1", "/api/entries/1/x", "/api/annotations", "/api/bookmarks/x/",
            "/api/bookmarks/1/x/", "/api/bookmarksx", "/api/tags/x/", "/api/user/profile/x",
        ])
    func unknown(path: String) {
        #expect(throws: NeighbourRoute.Failure.unknown) { try route("GET", path) }
    }

    @Test("only the routes that tell nothing of a user are open, and only those that add links take a token that saves")
    func kinds() {
        #expect(WallabagRoute.token.kind == .open && WallabagRoute.version.kind == .open)
        #expect(WallabagRoute.createEntry.kind == .save && LinkdingRoute.createBookmark.kind == .save)
        #expect(WallabagRoute.exists.kind == .read && LinkdingRoute.check.kind == .read)
        #expect(WallabagRoute.addTags(1).kind == .write && LinkdingRoute.createTag.kind == .write)
    }
}
